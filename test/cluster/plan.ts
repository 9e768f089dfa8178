/**
 * Topology shared by `test/cluster/run-cluster.ts` (processes) and `deploy/compose.cluster.yaml` (containers).
 * `test/cluster/compose.test.ts` checks that both use the same settings.
 */

export const LOOPBACK_ADDRESS = '127.0.0.1'

/** PostgreSQL nodes under Patroni; any of them may be the primary. */
export const DATABASE_NODES = ['pg1', 'pg2', 'pg3'] as const
export type DatabaseNode = (typeof DATABASE_NODES)[number]
export const SERVER_NODES = ['api1', 'api2'] as const
/** All nodes in the order in which they start. */
export const NODES = ['etcd', ...DATABASE_NODES, 'haproxy', 'pgbouncer', ...SERVER_NODES, 'worker'] as const
export type Node = (typeof NODES)[number]

export const isNode = (name: string | undefined): name is Node => NODES.some((node) => node === name)
export const isDatabase = (node: Node): node is DatabaseNode => DATABASE_NODES.some((database) => database === node)

export function assignPorts(base: number) {
  const portsOf = (names: readonly string[], from: number) =>
    Object.fromEntries(names.map((name, i) => [name, base + from + i]))
  return {
    /** Public port of HAProxy, which forwards to the servers. */
    web: base,
    /** Port of HAProxy that leads to the primary. */
    primary: base + 1,
    pgbouncer: base + 2,
    etcd: base + 3,
    etcdPeer: base + 4,
    postgres: portsOf(DATABASE_NODES, 5) as Record<DatabaseNode, number>,
    patroni: portsOf(DATABASE_NODES, 8) as Record<DatabaseNode, number>,
    server: portsOf(SERVER_NODES, 11) as Record<(typeof SERVER_NODES)[number], number>,
    worker: base + 13,
  } as const
}
export type Ports = ReturnType<typeof assignPorts>

/**
 * Cluster-wide Patroni settings. A write is acknowledged only once a second machine has it (`synchronous_mode_strict`:
 * without a standby writes wait). A primary whose process died is replaced at once (`primary_start_timeout` of 0), one
 * whose machine died after `ttl` seconds. etcd accepts no `ttl` below 2, and Patroni needs one loop and two retries.
 */
export const PATRONI = {
  ttl: 8,
  loop_wait: 2,
  retry_timeout: 3,
  maximum_lag_on_failover: 1_048_576,
  primary_start_timeout: 0,
  synchronous_mode: true,
  synchronous_mode_strict: true,
  postgresql: {
    use_pg_rewind: true,
    use_slots: true,
    parameters: {
      max_connections: 100,
      max_wal_senders: 10,
      wal_keep_size: '256MB',
      wal_log_hints: 'on',
      hot_standby_feedback: 'on',
      synchronous_commit: 'on',
      random_page_cost: 1.1,
    },
  },
} as const

/**
 * PgBouncer settings. A connection attempt fails after a second (R48), and a failed primary is retried every second
 * instead of every fifteen.
 */
export const PGBOUNCER = {
  pool_mode: 'transaction',
  default_pool_size: 20,
  max_client_conn: 500,
  query_wait_timeout: 1,
  server_login_retry: 1,
  server_connect_timeout: 2,
} as const

type Address = { readonly user: string; readonly host: string; readonly port: number }
const urlOf = (hosts: readonly Address[], query = '') =>
  `postgres://${hosts[0]!.user}@${hosts.map(({ host, port }) => `${host}:${port}`).join(',')}/tamngan${query}`

/**
 * Returns the three database URLs of servers and worker: queries through PgBouncer and HAProxy, migrations directly to
 * the writable node, replica reads to any replica.
 */
export function databaseSettings(
  user: string,
  pooler: Omit<Address, 'user'>,
  databases: readonly Omit<Address, 'user'>[],
) {
  const all = databases.map((database) => ({ user, ...database }))
  return {
    DATABASE_URL: urlOf([{ user, ...pooler }], '?target_session_attrs=read-write'),
    DATABASE_DIRECT_URL: urlOf(all, '?target_session_attrs=read-write'),
    DATABASE_REPLICA_URL: all.map((address) => urlOf([address])).join(','),
  } as const
}

export const SERVER_SETTINGS = { JOBS: 'off', DRAIN_SECONDS: '3' } as const
