import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { createDb } from '#server/platform/engine/create-db.ts'
import { openPostgres } from '#server/platform/engine/postgres.ts'
import { type Cluster, getCommand, writeConfigFiles } from './commands.ts'
import { DATABASE_NODES, type DatabaseNode, isDatabase, LOOPBACK_ADDRESS, NODES, type Node } from './plan.ts'
import { findPid, startProcess, stopNode } from './processes.ts'

const MAX_WAIT_MS = 300_000

/**
 * Starts the missing nodes in order, each once the previous one responds. Databases start together, because any of them
 * may have been the last primary and the others wait for it.
 */
export async function startCluster(cluster: Cluster, say: (text: string) => void): Promise<void> {
  writeConfigFiles(cluster)
  const missing = NODES.filter((node) => findPid(cluster.folder, node) === undefined)
  for (const node of NODES) {
    for (const target of isDatabase(node) ? DATABASE_NODES : [node]) startNode(cluster, target)
    if (missing.includes(node)) {
      await until(`${node} to respond`, () => isUp(cluster, node), cluster, node)
      say(`${node} is up`)
    }
    if (node === 'haproxy') await prepareDatabase(cluster)
  }
}

/** Stops the nodes gracefully, in reverse start order. */
export async function stopCluster({ folder }: Cluster, say: (text: string) => void): Promise<void> {
  for (const node of NODES.toReversed()) {
    const isRunning = findPid(folder, node) !== undefined
    await stopNode(folder, node)
    if (isRunning) say(`${node} is down`)
  }
}

/** Restarts a killed node. Returns once its process runs, before it is ready. */
export function startNode(cluster: Cluster, node: Node): void {
  if (findPid(cluster.folder, node) === undefined) startProcess(cluster.folder, node, getCommand(cluster, node))
}

type DatabaseState = { readonly role: string; readonly state: string; readonly isSynchronous: boolean }

/** Returns Patroni's view of a database, or undefined when Patroni does not respond. */
export async function fetchDatabaseState({ ports }: Cluster, node: DatabaseNode): Promise<DatabaseState | undefined> {
  try {
    const answer = await fetch(`http://${LOOPBACK_ADDRESS}:${ports.patroni[node]}/patroni`, {
      signal: AbortSignal.timeout(1_000),
    })
    const status = (await answer.json()) as { role: string; state: string; sync_standby?: boolean }
    const role = status.role === 'master' ? 'primary' : status.role
    return { role, state: status.state, isSynchronous: status.sync_standby === true }
  } catch {
    return undefined
  }
}

export async function findPrimaryNode(cluster: Cluster): Promise<DatabaseNode | undefined> {
  for (const node of DATABASE_NODES) {
    const state = await fetchDatabaseState(cluster, node)
    if (state?.role === 'primary' && state.state === 'running') return node
  }
  return undefined
}

/**
 * Creates the application's database user, which is not a superuser, and the role that requests run as (decision 0025).
 */
async function prepareDatabase({ ports }: Cluster): Promise<void> {
  const hosts = DATABASE_NODES.map((node) => `${LOOPBACK_ADDRESS}:${ports.postgres[node]}`).join(',')
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
    const isRunning = (await fetchDatabaseState(cluster, node))?.state === 'running'
    return isRunning && (await findPrimaryNode(cluster)) !== undefined
  }
  if (node === 'api1' || node === 'api2') return await isReady(ports.server[node])
  if (node === 'worker') return await isReady(ports.worker)
  if (node === 'haproxy') return await accepts(ports.primary)
  return await accepts(node === 'etcd' ? ports.etcd : ports.pgbouncer)
}

const isReady = (port: number) =>
  fetch(`http://${LOOPBACK_ADDRESS}:${port}/readyz`, { signal: AbortSignal.timeout(2_000) }).then(
    ({ ok }) => ok,
    () => false,
  )

const accepts = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, LOOPBACK_ADDRESS, () => {
      socket.destroy()
      resolve(true)
    }).on('error', () => resolve(false))
  })

async function until(what: string, isSo: () => Promise<boolean>, { folder }: Cluster, node: Node): Promise<void> {
  for (const from = Date.now(); !(await isSo()); await sleep(200)) {
    const why = `see ${folder}/logs/${node}.log`
    if (findPid(folder, node) === undefined) throw new Error(`${node} exited unexpectedly: ${why}`)
    if (Date.now() - from > MAX_WAIT_MS)
      throw new Error(`timed out after ${MAX_WAIT_MS / 1000} s waiting for ${what}: ${why}`)
  }
}
