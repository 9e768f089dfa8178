import { spawn } from 'node:child_process'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type Cluster, missingPrograms } from '../../scripts/cluster/commands.ts'
import { DATABASES, type DatabaseNode, portsFrom } from '../../scripts/cluster/plan.ts'
import { kill } from '../../scripts/cluster/processes.ts'
import { down, primaryOf, start, stateOf, up } from '../../scripts/cluster/up.ts'
import { machineLine } from '../server/machine.ts'
import { type Asked, type SteadyTraffic, startSteadyTraffic } from '../server/steady-traffic.ts'

/**
 * A cluster (scripts/cluster.ts) whose databases are killed under eight people who never stop: four read the report, four set and take away stars.
 *
 *   npx node bench/faults/cluster.ts [--kills 25] [--minutes 60] [--only primary|replica|two] [--busy 0] [--dir FOLDER] [--port 4720] [--keep]
 *
 * The primary dies again and again (-9), in turn its PostgreSQL alone and all of its machine (PostgreSQL and Patroni); then a replica; then both replicas. Ends with 1 when an
 * acknowledged action is missing, or the writes are not back within 15 s, or fewer than 99.9 % of the report's questions were answered, or something is accepted while one database is left.
 * `--busy`: processes that compute beside it without a pause, as on a machine that has other work.
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
const PATIENCE_MS = 180_000

const cluster: Cluster = { folder: path.resolve(values.dir), ports: portsFrom(Number(values.port)), seed: 'sample' }
const missing = missingPrograms()
if (missing.length > 0) {
  console.error(`cluster  NOT MEASURED: not installed on this machine: ${missing.join(', ')}`)
  process.exit(2)
}
const base = `http://127.0.0.1:${cluster.ports.web}`
const broken: string[] = []
function promise(kept: boolean, text: string): void {
  if (!kept) broken.push(text)
}

await up(cluster, console.log)
const busy = Array.from({ length: Number(values.busy) }, () => spawn(process.execPath, ['-e', 'for (;;);']))
process.once('exit', () => busy.forEach((child) => void child.kill('SIGKILL')))
console.log(machineLine(`${values.busy} busy processes beside it`))
try {
  await untilWhole()
  if ((values.only ?? 'primary') === 'primary') await primaryDies()
  if ((values.only ?? 'replica') === 'replica') await replicaDies()
  if ((values.only ?? 'two') === 'two') await twoOfThreeDie()
} finally {
  if (!values.keep) await down(cluster, () => undefined)
}
console.log(machineLine())
for (const text of broken) console.log(`BROKEN  ${text}`)
process.exit(broken.length === 0 ? 0 : 1)

/** Every database runs and the primary has a synchronous standby. */
async function untilWhole(): Promise<void> {
  for (const from = performance.now(); ; await sleep(250)) {
    const states = await Promise.all(DATABASES.map((node) => stateOf(cluster, node)))
    const isStreaming = states.every((found) => found?.state === 'running' || found?.state === 'streaming')
    const has = (role: string) => states.some((found) => found?.role === role)
    if (isStreaming && has('primary') && states.some((found) => found?.isSynchronous)) return
    if (performance.now() - from > PATIENCE_MS) throw new Error(`the cluster is not whole: ${JSON.stringify(states)}`)
  }
}

async function until<T>(find: () => T | undefined | Promise<T | undefined>, what: string): Promise<T> {
  for (const from = performance.now(); ; await sleep(50)) {
    const found = await find()
    if (found !== undefined) return found
    if (performance.now() - from > PATIENCE_MS) throw new Error(`waited for ${what}`)
  }
}

/** When the first action was acknowledged that began after this moment. */
function acknowledgedAfter({ asked }: SteadyTraffic, at: number): Asked | undefined {
  return asked.find(({ what, status, startedAt }) => what === 'action' && status === 200 && startedAt > at)
}

function nodeOf(): Promise<DatabaseNode> {
  return until(() => primaryOf(cluster), 'a primary')
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
    await kill(cluster.folder, node, how === 'postgres' ? 'postgres' : undefined)
    const first = await until(() => acknowledgedAfter(traffic, at), 'the first action')
    back.push({ how, ms: first.startedAt + first.ms - at, at })
    console.log(`  kill ${n + 1} (${node}, ${how}): writes back after ${seconds(back.at(-1)!.ms)} s`)
    start(cluster, node)
    await untilWhole()
    await sleep(1_000)
  }
  const lost = await traffic.stop()
  for (const how of ['postgres', 'machine']) {
    const times = back.filter((each) => each.how === how).map(({ ms }) => ms)
    const sorted = times.toSorted((a, b) => a - b)
    if (sorted.length > 0)
      console.log(
        `${how} killed ${sorted.length} times: writes back, median ${seconds(sorted[sorted.length >> 1]!)} s, longest ${seconds(sorted.at(-1)!)} s`,
      )
  }
  tell('primary killed', traffic, lost)
  for (const { startedAt, ms, status, why } of traffic.asked.filter(
    (one) => one.what === 'report' && one.status !== 200,
  )) {
    const killed = back.findLast(({ at }) => at <= startedAt + ms)
    console.log(
      `  not answered: ${status} ${why ?? ''}, asked ${killed ? `${seconds(startedAt - killed.at)} s after a kill` : 'before the first kill'}, told after ${seconds(ms)} s`,
    )
  }
  promise(
    back.every(({ ms }) => ms <= BACK_WITHIN_MS),
    'writes were not back within 15 s',
  )
}

function tell(what: string, { asked, acknowledged, wrong }: SteadyTraffic, lost: readonly string[]): void {
  const reads = asked.filter((one) => one.what === 'report')
  const answered = reads.filter(({ status }) => status === 200).length
  const other = Map.groupBy(
    asked.filter(({ status }) => status !== 200),
    (one) => `${one.what} ${one.status}`,
  )
  console.log(
    `${what}: ${acknowledged()} actions acknowledged, ${lost.length} lost or undone; report ${answered} of ${reads.length} answered (${((100 * answered) / reads.length).toFixed(2)} %), longest ${seconds(Math.max(...reads.map(({ ms }) => ms)))} s; not 200: ${[...other].map(([kind, all]) => `${all.length} × ${kind}`).join(', ') || 'none'}`,
  )
  promise(wrong.length === 0, `${what}: ${wrong.length} wrong answers: ${wrong.slice(0, 3).join('; ')}`)
  promise(lost.length === 0, `${what}: ${lost.slice(0, 3).join('; ')}`)
  promise(
    answered >= ANSWERED * reads.length,
    `${what}: ${reads.length - answered} questions of the report were not answered`,
  )
}

function replicasOf(primary: DatabaseNode): DatabaseNode[] {
  return DATABASES.filter((node) => node !== primary)
}

/** First the one that the primary waits for. */
async function replicaDies(): Promise<void> {
  const traffic = await startSteadyTraffic(base, { seesOwn: true })
  await sleep(3_000)
  const primary = await nodeOf()
  for (const node of replicasOf(primary)) {
    await kill(cluster.folder, node)
    const at = performance.now()
    const first = await until(() => acknowledgedAfter(traffic, at), 'an action without one replica')
    console.log(
      `  ${node} killed: the next action was acknowledged after ${seconds(first.startedAt + first.ms - at)} s`,
    )
    start(cluster, node)
    await untilWhole()
  }
  tell('replica killed', traffic, await traffic.stop())
}

/** Nothing may be acknowledged that only one machine has. */
async function twoOfThreeDie(): Promise<void> {
  const traffic = await startSteadyTraffic(base, { seesOwn: true })
  await sleep(3_000)
  const primary = await nodeOf()
  const lost = replicasOf(primary)
  await Promise.all(lost.map((node) => kill(cluster.folder, node)))
  const at = performance.now()
  await sleep(40_000)
  const during = traffic.asked.filter(({ startedAt }) => startedAt > at)
  const accepted = during.filter(({ what, status }) => what === 'action' && status === 200).length
  const refused = during.filter(({ what, status }) => what === 'action' && status === 503).length
  console.log(`two of three lost: ${accepted} actions accepted, ${refused} refused with 503`)
  promise(accepted === 0, `${accepted} actions were accepted while one database was left`)
  for (const node of lost) start(cluster, node)
  await untilWhole()
  const back = performance.now()
  await until(() => acknowledgedAfter(traffic, back), 'an action after both were back')
  tell('two of three lost', traffic, await traffic.stop())
}
