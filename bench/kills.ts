import { spawn } from 'node:child_process'
import { loadavg, tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { createSeededRandom } from '../test/world/seeded.ts'
import { killDuringImports } from './kills/kills-import.ts'
import { inspectDatabase } from './kills/kills-inspect.ts'
import { killDuringJobs } from './kills/kills-job.ts'
import { killDuringMigration } from './kills/kills-migration.ts'
import { killDuringPatches } from './kills/kills-patch.ts'
import { createStage, type Stage } from './kills/kills-stage.ts'
import { createOutcome, createWorld, type Outcome } from './kills/kills-world.ts'
import { describeMachine } from './server/machine.ts'

/**
 * Kills the real server without warning while it applies user changes, imports files, runs jobs and migrates, and
 * restarts it (R47). Every fifth time PostgreSQL (fsync on) is stopped with it, `immediate`. After each start the bench
 * checks everything that was acknowledged, and at the end of each part it checks the database: amcheck over every
 * index, matches against a fresh computation, no user notified twice. `ready`: from process start to 200 of `/readyz`
 * after a kill, median and longest; `computed`: its CPU time, which other load hardly affects. `--busy`: number of
 * processes that burn CPU alongside. Exits with 1 when anything was lost or half-applied.
 *
 *   npx node bench/kills.ts [--kills 25] [--engine pglite|postgres|both] [--what patch,import,job,migration] [--seed 1] [--port 4340] [--dir FOLDER] [--busy 0]
 */
const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '25' },
    engine: { type: 'string', default: 'both' },
    what: { type: 'string', default: 'patch,import,job,migration' },
    seed: { type: 'string', default: '1' },
    port: { type: 'string', default: '4340' },
    busy: { type: 'string', default: '0' },
    dir: { type: 'string', default: path.join(tmpdir(), 'tamngan-bench-kills') },
  },
})
const kills = Number(values.kills)
const KINDS = ['patch', 'import', 'job', 'migration'] as const
const ENGINES = ['pglite', 'postgres'] as const
const READY_WITHIN_MS = 5_000
// Child processes exit with this one (own-server.ts, postgres-server.ts), also on Ctrl-C.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
const say = (line: string) => console.error(line)
const busy = Array.from({ length: Number(values.busy) }, () => spawn(process.execPath, ['-e', 'for (;;);']))
process.once('exit', () => busy.forEach((child) => void child.kill('SIGKILL')))

console.log(describeMachine(`seed ${values.seed}`, `${values.busy} busy background processes`))
console.log('engine    what       kills  acknowledged   lost  half-applied  ready median / longest, CPU')
for (const engine of ENGINES)
  if (values.engine === 'both' || values.engine === engine)
    for (const what of KINDS) if (values.what.split(',').includes(what)) await measure(engine, what)
for (const child of busy) child.kill('SIGKILL')

async function measure(engine: Stage['engine'], what: (typeof KINDS)[number]): Promise<void> {
  const stage = await createStage(engine, path.join(values.dir, `${engine}-${what}`), values.port)
  if (!stage) return
  const outcome = createOutcome()
  const work = { kills, random: createSeededRandom(Number(values.seed)), outcome, say }
  const started = performance.now()
  try {
    if (what === 'migration') {
      await killDuringMigration(stage, work)
      await inspectDatabase(stage, undefined, outcome)
    } else {
      const world = await createWorld(stage)
      const kill = { patch: killDuringPatches, import: killDuringImports, job: killDuringJobs }[what]
      await kill(stage, world, work)
      await inspectDatabase(stage, world, outcome)
    }
  } finally {
    await stage.end()
  }
  print(engine, what, stage, outcome, (performance.now() - started) / 1000)
}

function print(engine: string, what: string, stage: Stage, outcome: Outcome, seconds: number): void {
  const [median, longest] = spread(stage.starts.map(({ readyMs }) => readyMs))
  const computed = spread(stage.starts.map(({ computedMs }) => computedMs)).map((ms) => (ms / 1000).toFixed(2))
  const { lost, halfApplied, acknowledged } = outcome
  console.log(
    `${engine.padEnd(9)} ${what.padEnd(10)} ${String(kills).padStart(5)} ${String(acknowledged).padStart(13)} ${String(lost.length).padStart(6)} ${String(halfApplied.length).padStart(13)}  ${(median / 1000).toFixed(2)} / ${(longest / 1000).toFixed(2)} s, ${computed.join(' / ')} s${longest > READY_WITHIN_MS ? '  OVER 5 s' : ''}   (took ${seconds.toFixed(0)} s, load ${loadavg()[0]?.toFixed(1)})`,
  )
  for (const line of [...lost, ...halfApplied]) console.log(`  ${line}`)
  if (lost.length + halfApplied.length > 0) process.exitCode = 1
}

function spread(samples: readonly number[]): readonly [median: number, longest: number] {
  const sorted = samples.toSorted((a, b) => a - b)
  return [sorted[sorted.length >> 1] ?? 0, sorted.at(-1) ?? 0]
}
