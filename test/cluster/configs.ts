import path from 'node:path'
import {
  DATABASE_NODES,
  type DatabaseNode,
  LOOPBACK_ADDRESS,
  PATRONI,
  PGBOUNCER,
  type Ports,
  SERVER_NODES,
} from './plan.ts'

/** Loopback connections need no password, because any local user could read a password file too. */
const LOGINS = [
  `local all all trust`,
  `host all all ${LOOPBACK_ADDRESS}/32 trust`,
  `host replication all ${LOOPBACK_ADDRESS}/32 trust`,
]

/** Returns the Patroni configuration as JSON, which is valid YAML. */
export function buildPatroniConfig(node: DatabaseNode, ports: Ports, folder: string, binaries: string): string {
  const postgres = `${LOOPBACK_ADDRESS}:${ports.postgres[node]}`
  const restApi = `${LOOPBACK_ADDRESS}:${ports.patroni[node]}`
  const user = (username: string) => ({ username, password: username })
  return JSON.stringify(
    {
      scope: 'tamngan',
      name: node,
      restapi: { listen: restApi, connect_address: restApi },
      etcd3: { hosts: [`${LOOPBACK_ADDRESS}:${ports.etcd}`] },
      bootstrap: { dcs: PATRONI, initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, 'data-checksums'] },
      postgresql: {
        listen: postgres,
        connect_address: postgres,
        data_dir: path.join(folder, node, 'data'),
        bin_dir: binaries,
        pgpass: path.join(folder, node, 'pgpass'),
        pg_hba: LOGINS,
        authentication: { superuser: user('postgres'), replication: user('replicator'), rewind: user('rewind') },
        parameters: { unix_socket_directories: path.join(folder, node), shared_buffers: '128MB' },
      },
    },
    null,
    2,
  )
}

/**
 * Returns an HAProxy config with two ports: one for the primary that Patroni reports, one for the ready servers.
 * Connections to a failed primary are closed.
 */
export function buildHaproxyConfig(ports: Ports): string {
  const servers = SERVER_NODES.map((name) => `  server ${name} ${LOOPBACK_ADDRESS}:${ports.server[name]} check`)
  const databases = DATABASE_NODES.map(
    (name) => `  server ${name} ${LOOPBACK_ADDRESS}:${ports.postgres[name]} check port ${ports.patroni[name]}`,
  )
  return `global
  maxconn 1000
defaults
  timeout connect 1s
  timeout client 30m
  timeout server 30m
  timeout check 2s
listen web
  mode http
  bind ${LOOPBACK_ADDRESS}:${ports.web}
  option httpchk GET /readyz
  option forwardfor
  default-server inter 500ms fall 2 rise 1
${servers.join('\n')}
listen primary
  mode tcp
  bind ${LOOPBACK_ADDRESS}:${ports.primary}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
${databases.join('\n')}
`
}

export function buildPgbouncerConfig(ports: Ports, users: string): string {
  return `[databases]
* = host=${LOOPBACK_ADDRESS} port=${ports.primary}
[pgbouncer]
listen_addr = ${LOOPBACK_ADDRESS}
listen_port = ${ports.pgbouncer}
unix_socket_dir =
auth_type = trust
auth_file = ${users}
${Object.entries(PGBOUNCER)
  .map(([name, value]) => `${name} = ${value}`)
  .join('\n')}
`
}
