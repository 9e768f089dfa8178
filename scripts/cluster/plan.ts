/**
 * The cluster that `scripts/cluster.ts` runs as processes and `deploy/compose.cluster.yaml` as containers: the same nodes, the same settings (`scripts/cluster/compose.test.ts`
 * holds them together).
 */

/** The databases, each a PostgreSQL under Patroni; which one is the primary changes. */
export const DATABASES = ['pg1', 'pg2', 'pg3'] as const
export type DatabaseNode = (typeof DATABASES)[number]
export const SERVERS = ['api1', 'api2'] as const
/** In the order in which they are started. */
export const NODES = ['etcd', ...DATABASES, 'haproxy', 'pgbouncer', ...SERVERS, 'worker'] as const
export type Node = (typeof NODES)[number]

export const isNode = (name: string | undefined): name is Node => NODES.some((node) => node === name)
export const isDatabase = (node: Node): node is DatabaseNode => DATABASES.some((database) => database === node)

/** Ports from `base` on, all on this machine. */
export function portsFrom(base: number) {
  const place = (names: readonly string[], from: number) =>
    Object.fromEntries(names.map((name, i) => [name, base + from + i]))
  return {
    /** What people reach: HAProxy before the servers. */
    web: base,
    /** HAProxy before the primary. */
    primary: base + 1,
    pgbouncer: base + 2,
    etcd: base + 3,
    etcdPeer: base + 4,
    postgres: place(DATABASES, 5) as Record<DatabaseNode, number>,
    patroni: place(DATABASES, 8) as Record<DatabaseNode, number>,
    server: place(SERVERS, 11) as Record<(typeof SERVERS)[number], number>,
    worker: base + 13,
  } as const
}
export type Ports = ReturnType<typeof portsFrom>

/**
 * What Patroni keeps for the whole cluster. Nothing is acknowledged that only one machine has (`synchronous_mode_strict`: without a standby writes wait). A primary whose
 * process died is left at once (`primary_start_timeout` of 0), one whose machine died after `ttl` seconds, of which etcd lets no fewer than 2 and Patroni needs a loop and two tries.
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

/** Of PgBouncer. A connection that is not there within a second is an answer too (R48), and a primary that is back is tried each second, not each fifteen. */
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

/** The three addresses of servers and worker: statements through PgBouncer and HAProxy, migrations past both to whichever takes writes, questions to any that is a replica. */
export function databaseSettings(
  user: string,
  pooler: Omit<Address, 'user'>,
  databases: readonly Omit<Address, 'user'>[],
) {
  const all = databases.map((each) => ({ user, ...each }))
  return {
    DATABASE_URL: urlOf([{ user, ...pooler }], '?target_session_attrs=read-write'),
    DATABASE_DIRECT_URL: urlOf(all, '?target_session_attrs=read-write'),
    DATABASE_REPLICA_URL: all.map((each) => urlOf([each])).join(','),
  } as const
}

/** Beside the addresses. */
export const SERVER_SETTINGS = { JOBS: 'off', DRAIN_SECONDS: '3' } as const
