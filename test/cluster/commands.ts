import { randomBytes } from 'node:crypto'
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { findPostgresBinaries, findPostgresOwner } from '../server/postgres-programs.ts'
import { buildHaproxyConfig, buildPatroniConfig, buildPgbouncerConfig } from './configs.ts'
import {
  DATABASE_NODES,
  databaseSettings,
  isDatabase,
  LOOPBACK_ADDRESS,
  type Node,
  type Ports,
  SERVER_SETTINGS,
} from './plan.ts'
import { type Command, findProgram } from './processes.ts'

const ROOT = path.join(import.meta.dirname, '../..')

/** Everything the cluster stores is in `folder`. `seed` selects the data for an empty database. */
export type Cluster = { readonly folder: string; readonly ports: Ports; readonly seed: 'sample' | 'none' }

export function findMissingPrograms(): string[] {
  const missing = ['etcd', 'patroni', 'haproxy', 'pgbouncer'].filter((name) => findProgram(name) === undefined)
  return findPostgresBinaries() === undefined ? [...missing, 'postgresql'] : missing
}

/**
 * Writes the configuration files. Database folders belong to the user that runs PostgreSQL, which refuses to run as
 * root.
 */
export function writeConfigFiles({ folder, ports }: Cluster): void {
  mkdirSync(folder, { recursive: true, mode: 0o755 })
  const owner = findPostgresOwner()
  const setOwner = (name: string) => {
    if (owner) chownSync(path.join(folder, name), owner.uid, owner.gid)
  }
  for (const name of [...DATABASE_NODES, 'etcd', 'pgbouncer']) {
    mkdirSync(path.join(folder, name), { recursive: true, mode: 0o700 })
    setOwner(name)
  }
  function write(name: string, text: string): void {
    writeFileSync(path.join(folder, name), text)
    setOwner(name)
  }
  const binaries = findPostgresBinaries()!
  for (const node of DATABASE_NODES) write(`${node}/patroni.yml`, buildPatroniConfig(node, ports, folder, binaries))
  write('haproxy.cfg', buildHaproxyConfig(ports))
  write('pgbouncer/users.txt', '"postgres" ""\n"tamngan" ""\n')
  write('pgbouncer/pgbouncer.ini', buildPgbouncerConfig(ports, path.join(folder, 'pgbouncer/users.txt')))
  const secret = path.join(folder, 'auth-secret')
  if (!existsSync(secret)) writeFileSync(secret, randomBytes(48).toString('base64'))
  chmodSync(secret, 0o600)
}

export function getCommand(cluster: Cluster, node: Node): Command {
  const { folder } = cluster
  const owner = findPostgresOwner()
  if (isDatabase(node))
    return {
      command: findProgram('patroni')!,
      args: [path.join(folder, node, 'patroni.yml')],
      owner,
      cwd: path.join(folder, node),
    }
  if (node === 'etcd')
    return { command: findProgram('etcd')!, args: etcdArguments(cluster), owner, cwd: path.join(folder, 'etcd') }
  if (node === 'haproxy')
    return { command: findProgram('haproxy')!, args: ['-db', '-f', path.join(folder, 'haproxy.cfg')] }
  if (node === 'pgbouncer')
    return { command: findProgram('pgbouncer')!, args: [path.join(folder, 'pgbouncer/pgbouncer.ini')], owner }
  return {
    command: process.execPath,
    args: ['server/main.ts', node === 'worker' ? 'work' : 'serve'],
    cwd: ROOT,
    env: serverSettings(cluster, node),
  }
}

function etcdArguments({ folder, ports }: Cluster): string[] {
  const clients = `http://${LOOPBACK_ADDRESS}:${ports.etcd}`
  const peers = `http://${LOOPBACK_ADDRESS}:${ports.etcdPeer}`
  return [
    ...['--name', 'etcd', '--data-dir', path.join(folder, 'etcd', 'data')],
    ...['--listen-client-urls', clients, '--advertise-client-urls', clients],
    ...['--listen-peer-urls', peers, '--initial-advertise-peer-urls', peers, '--initial-cluster', `etcd=${peers}`],
  ]
}

function serverSettings({ folder, ports, seed }: Cluster, node: 'api1' | 'api2' | 'worker'): Record<string, string> {
  const databases = DATABASE_NODES.map((name) => ({ host: LOOPBACK_ADDRESS, port: ports.postgres[name] }))
  return {
    ...databaseSettings('tamngan', { host: LOOPBACK_ADDRESS, port: ports.pgbouncer }, databases),
    ...SERVER_SETTINGS,
    AUTH_SECRET: readFileSync(path.join(folder, 'auth-secret'), 'utf8'),
    DATA_DIR: path.join(folder, 'shared'),
    PUBLIC_URL: `http://localhost:${ports.web}`,
    TRUSTED_PROXIES: LOOPBACK_ADDRESS,
    RATE_LIMIT_FACTOR: '1000',
    LOG_LEVEL: 'warn',
    SEED: seed,
    SEED_WAIT: 'on',
    ...(node === 'worker' ? { JOBS: 'on', WORKER_PORT: String(ports.worker) } : { PORT: String(ports.server[node]) }),
  }
}
