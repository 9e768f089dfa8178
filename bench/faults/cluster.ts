import { spawn } from 'node:child_process'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type Cluster, findMissingPrograms } from '../../test/cluster/commands.ts'
import { assignPorts, DATABASE_NODES, type DatabaseNode } from '../../test/cluster/plan.ts'
import { killNode } from '../../test/cluster/processes.ts'
import { fetchDatabaseState, findPrimaryNode, startCluster, startNode, stopCluster } from '../../test/cluster/up.ts'
import { describeMachine } from '../server/machine.ts'
import { type RequestResult, type SteadyTraffic, startSteadyTraffic } from '../server/steady-traffic.ts'

/**
 * Kills databases of a cluster (test/cluster/run-cluster.ts) under eight constantly active users: four read the report, four set
 * and remove stars. First the primary is killed repeatedly (-9), alternating between PostgreSQL alone and its whole
 * machine (PostgreSQL and Patroni); then one replica; then both replicas. Exits with 1 when an acknowledged action is
 * missing, writes do not resume within 15 s, fewer than 99.9 % of the report requests succeed, or a write is accepted
 * while only one database is left. `--busy`: number of processes that burn CPU alongside, as on a loaded machine.
 *
 *   npx node bench/faults/cluster.ts [--kills 25] [--minutes 60] [--only primary|replica|two] [--busy 0] [--dir FOLDER] [--port 4720] [--keep]
 */
const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '25' },
    minutes: { type: 'string', default: '60' },
    only: { type: 'string' },
    busy: { type: 'string', default: '0' },
    dir: { type: 'string', default: path.join(tmpdir(), 'tamngan-cluster') },
    port: { type: 'string', default: '4720' },
    keep: { type: 'boolean', default: false },
  },
})
const BACK_WITHIN_MS = 15_000
const ANSWERED = 0.999
const MAX_WAIT_MS = 180_000

const cluster: Cluster = { folder: path.resolve(values.dir), ports: assignPorts(Number(values.port)), seed: 'sample' }
const missing = findMissingPrograms()
if (missing.length > 0) {
  console.error(`cluster  NOT MEASURED: not installed on this machine: ${missing.join(', ')}`)
  process.exit(2)
}
const base = `http://127.0.0.1:${cluster.ports.web}`
const broken: string[] = []
function promise(isKept: boolean, text: string): void {
  if (!isKept) broken.push(text)
}

await startCluster(cluster, console.log)
const busy = Array.from({ length: Number(values.busy) }, () => spawn(process.execPath, ['-e', 'for (;;);']))
process.once('exit', () => busy.forEach((child) => void child.kill('SIGKILL')))
console.log(describeMachine(`${values.busy} busy background processes`))
try {
  await untilWhole()
  if ((values.only ?? 'primary') === 'primary') await primaryDies()
  if ((values.only ?? 'replica') === 'replica') await replicaDies()
  if ((values.only ?? 'two') === 'two') await twoOfThreeDie()
} finally {
  if (!values.keep) await stopCluster(cluster, () => undefined)
}
console.log(describeMachine())
for (const text of broken) console.log(`BROKEN  ${text}`)
process.exit(broken.length === 0 ? 0 : 1)

async function untilWhole(): Promise<void> {
  for (const from = performance.now(); ; await sleep(250)) {
    const states = await Promise.all(DATABASE_NODES.map((node) => fetchDatabaseState(cluster, node)))
    const isStreaming = states.every((state) => state?.state === 'running' || state?.state === 'streaming')
    const has = (role: string) => states.some((state) => state?.role === role)
    if (isStreaming && has('primary') && states.some((state) => state?.isSynchronous)) return
    if (performance.now() - from > MAX_WAIT_MS) throw new Error(`the cluster is not healthy: ${JSON.stringify(states)}`)
  }
}

async function until<T>(find: () => T | undefined | Promise<T | undefined>, what: string): Promise<T> {
  for (const from = performance.now(); ; await sleep(50)) {
    const result = await find()
    if (result !== undefined) return result
    if (performance.now() - from > MAX_WAIT_MS) throw new Error(`timed out waiting for ${what}`)
  }
}

function acknowledgedAfter({ requests }: SteadyTraffic, at: number): RequestResult | undefined {
  return requests.find(({ what, status, startedAt }) => what === 'action' && status === 200 && startedAt > at)
}

function nodeOf(): Promise<DatabaseNode> {
  return until(() => findPrimaryNode(cluster), 'a primary')
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(1)
}

async function primaryDies(): Promise<void> {
  const traffic = await startSteadyTraffic(base, { seesOwn: true })
  const back: { readonly how: string; readonly ms: number; readonly at: number }[] = []
  const endAt = performance.now() + Number(values.minutes) * 60_000
  for (let n = 0; n < Number(values.kills) && performance.now() < endAt; n += 1) {
    const node = await nodeOf()
    const how = n % 2 === 0 ? 'postgres' : 'machine'
    const at = performance.now()
    await killNode(cluster.folder, node, how === 'postgres' ? 'postgres' : undefined)
    const first = await until(() => acknowledgedAfter(traffic, at), 'the first action')
    back.push({ how, ms: first.startedAt + first.ms - at, at })
    console.log(`  kill ${n + 1} (${node}, ${how}): writes resumed after ${seconds(back.at(-1)!.ms)} s`)
    startNode(cluster, node)
    await untilWhole()
    await sleep(1_000)
  }
  const lost = await traffic.stop()
  for (const how of ['postgres', 'machine']) {
    const times = back.filter((outage) => outage.how === how).map(({ ms }) => ms)
    const sorted = times.toSorted((a, b) => a - b)
    if (sorted.length > 0)
      console.log(
        `${how} killed ${sorted.length} times: writes resumed after median ${seconds(sorted[sorted.length >> 1]!)} s, longest ${seconds(sorted.at(-1)!)} s`,
      )
  }
  reportTraffic('primary killed', traffic, lost)
  for (const { startedAt, ms, status, why } of traffic.requests.filter(
    (request) => request.what === 'report' && request.status !== 200,
  )) {
    const killed = back.findLast(({ at }) => at <= startedAt + ms)
    console.log(
      `  failed: ${status} ${why ?? ''}, sent ${killed ? `${seconds(startedAt - killed.at)} s after a kill` : 'before the first kill'}, response after ${seconds(ms)} s`,
    )
  }
  promise(
    back.every(({ ms }) => ms <= BACK_WITHIN_MS),
    'writes did not resume within 15 s',
  )
}

function reportTraffic(what: string, { requests, acknowledged, wrong }: SteadyTraffic, lost: readonly string[]): void {
  const reads = requests.filter((request) => request.what === 'report')
  const answered = reads.filter(({ status }) => status === 200).length
  const failures = Map.groupBy(
    requests.filter(({ status }) => status !== 200),
    (request) => `${request.what} ${request.status}`,
  )
  console.log(
    `${what}: ${acknowledged()} actions acknowledged, ${lost.length} lost or undone; report ${answered} of ${reads.length} answered (${((100 * answered) / reads.length).toFixed(2)} %), longest ${seconds(Math.max(...reads.map(({ ms }) => ms)))} s; not 200: ${[...failures].map(([kind, all]) => `${all.length} × ${kind}`).join(', ') || 'none'}`,
  )
  promise(wrong.length === 0, `${what}: ${wrong.length} wrong answers: ${wrong.slice(0, 3).join('; ')}`)
  promise(lost.length === 0, `${what}: ${lost.slice(0, 3).join('; ')}`)
  promise(answered >= ANSWERED * reads.length, `${what}: ${reads.length - answered} report requests failed`)
}

function replicasOf(primary: DatabaseNode): DatabaseNode[] {
  return DATABASE_NODES.filter((node) => node !== primary)
}

async function replicaDies(): Promise<void> {
  const traffic = await startSteadyTraffic(base, { seesOwn: true })
  await sleep(3_000)
  const primary = await nodeOf()
  for (const node of replicasOf(primary)) {
    await killNode(cluster.folder, node)
    const at = performance.now()
    const first = await until(() => acknowledgedAfter(traffic, at), 'an action without one replica')
    console.log(
      `  ${node} killed: the next action was acknowledged after ${seconds(first.startedAt + first.ms - at)} s`,
    )
    startNode(cluster, node)
    await untilWhole()
  }
  reportTraffic('replica killed', traffic, await traffic.stop())
}

/**
 * Checks that no write is acknowledged while two of three machines are lost, because it would exist on one machine
 * only.
 */
async function twoOfThreeDie(): Promise<void> {
  const traffic = await startSteadyTraffic(base, { seesOwn: true })
  await sleep(3_000)
  const primary = await nodeOf()
  const lost = replicasOf(primary)
  await Promise.all(lost.map((node) => killNode(cluster.folder, node)))
  const at = performance.now()
  await sleep(40_000)
  const during = traffic.requests.filter(({ startedAt }) => startedAt > at)
  const accepted = during.filter(({ what, status }) => what === 'action' && status === 200).length
  const refused = during.filter(({ what, status }) => what === 'action' && status === 503).length
  console.log(`two of three lost: ${accepted} actions accepted, ${refused} refused with 503`)
  promise(accepted === 0, `${accepted} actions were accepted with only one database left`)
  for (const node of lost) startNode(cluster, node)
  await untilWhole()
  const back = performance.now()
  await until(() => acknowledgedAfter(traffic, back), 'an action after both replicas returned')
  reportTraffic('two of three lost', traffic, await traffic.stop())
}
