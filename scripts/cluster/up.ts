import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { createDb } from '#server/platform/engine/create-db.ts'
import { openPostgres } from '#server/platform/engine/postgres.ts'
import { type Cluster, commandOf, writeFiles } from './commands.ts'
import { DATABASES, type DatabaseNode, isDatabase, NODES, type Node } from './plan.ts'
import { begin, end, pidOf } from './processes.ts'

const LOCAL = '127.0.0.1'
const PATIENCE_MS = 300_000

/**
 * Starts what does not run yet, node after node, each once the one before it answers; the databases together, because the one that was the primary last may be any of them, and
 * the others wait for it.
 */
export async function up(cluster: Cluster, say: (text: string) => void): Promise<void> {
  writeFiles(cluster)
  const missing = NODES.filter((node) => pidOf(cluster.folder, node) === undefined)
  for (const node of NODES) {
    for (const each of isDatabase(node) ? DATABASES : [node]) start(cluster, each)
    if (missing.includes(node)) {
      await until(`${node} to answer`, () => isUp(cluster, node), cluster, node)
      say(`${node} is up`)
    }
    if (node === 'haproxy') await prepareDatabase(cluster)
  }
}

/** In the opposite order, each in good order. */
export async function down({ folder }: Cluster, say: (text: string) => void): Promise<void> {
  for (const node of NODES.toReversed()) {
    const isRunning = pidOf(folder, node) !== undefined
    await end(folder, node)
    if (isRunning) say(`${node} is down`)
  }
}

/** Starts one node again that was killed; answers when its process runs, not when it is ready. */
export function start(cluster: Cluster, node: Node): void {
  if (pidOf(cluster.folder, node) === undefined) begin(cluster.folder, node, commandOf(cluster, node))
}

export type DatabaseState = { readonly role: string; readonly state: string; readonly isSynchronous: boolean }

/** What Patroni says of a database; undefined when nobody answers. */
export async function stateOf({ ports }: Cluster, node: DatabaseNode): Promise<DatabaseState | undefined> {
  try {
    const answer = await fetch(`http://${LOCAL}:${ports.patroni[node]}/patroni`, { signal: AbortSignal.timeout(1_000) })
    const told = (await answer.json()) as { role: string; state: string; sync_standby?: boolean }
    const role = told.role === 'master' ? 'primary' : told.role
    return { role, state: told.state, isSynchronous: told.sync_standby === true }
  } catch {
    return undefined
  }
}

/** Which of them is the primary now. */
export async function primaryOf(cluster: Cluster): Promise<DatabaseNode | undefined> {
  for (const node of DATABASES) {
    const found = await stateOf(cluster, node)
    if (found?.role === 'primary' && found.state === 'running') return node
  }
  return undefined
}

/** The user of the application, who is no superuser, and the role that requests are sent as (decision 0025). */
async function prepareDatabase({ ports }: Cluster): Promise<void> {
  const hosts = DATABASES.map((node) => `${LOCAL}:${ports.postgres[node]}`).join(',')
  const admin = createDb(await openPostgres(`postgres://postgres@${hosts}/postgres?target_session_attrs=read-write`))
  try {
    const [there] = await admin.query<{ roles: number; databases: number }>(sql`
      select (select count(*)::int from pg_roles where rolname = 'tamngan') as roles,
        (select count(*)::int from pg_database where datname = 'tamngan') as databases`)
    if (there!.roles === 0)
      await admin.script(`
        create role tamngan_tenant nologin;
        create role tamngan login nosuperuser nocreatedb nocreaterole nobypassrls;
        grant tamngan_tenant, pg_monitor to tamngan;`)
    if (there!.databases === 0) await admin.script('create database tamngan owner tamngan')
  } finally {
    await admin.close()
  }
}

async function isUp(cluster: Cluster, node: Node): Promise<boolean> {
  const { ports } = cluster
  if (isDatabase(node)) {
    const isRunning = (await stateOf(cluster, node))?.state === 'running'
    return isRunning && (await primaryOf(cluster)) !== undefined
  }
  if (node === 'api1' || node === 'api2') return await isReady(ports.server[node])
  if (node === 'worker') return await isReady(ports.worker)
  if (node === 'haproxy') return await accepts(ports.primary)
  return await accepts(node === 'etcd' ? ports.etcd : ports.pgbouncer)
}

const isReady = (port: number) =>
  fetch(`http://${LOCAL}:${port}/readyz`, { signal: AbortSignal.timeout(2_000) }).then(
    ({ ok }) => ok,
    () => false,
  )

const accepts = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, LOCAL, () => {
      socket.destroy()
      resolve(true)
    }).on('error', () => resolve(false))
  })

async function until(what: string, isSo: () => Promise<boolean>, { folder }: Cluster, node: Node): Promise<void> {
  for (const from = Date.now(); !(await isSo()); await sleep(200)) {
    const why = `see ${folder}/logs/${node}.log`
    if (pidOf(folder, node) === undefined) throw new Error(`${node} ended by itself: ${why}`)
    if (Date.now() - from > PATIENCE_MS) throw new Error(`waited ${PATIENCE_MS / 1000} s for ${what}: ${why}`)
  }
}
