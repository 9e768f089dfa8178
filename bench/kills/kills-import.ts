import { setTimeout as sleep } from 'node:timers/promises'
import type { Stage } from './kills-stage.ts'
import {
  type Caller,
  countProjectsByWord,
  type KillRun,
  type KillsWorld,
  logIn,
  type Outcome,
  WATCHED_WORD,
  writeProjects,
} from './kills-world.ts'

/** Number of projects per file, chosen so that reading, staging, publishing and matching take a second or two. */
const FILE_PROJECTS = 600
/** Kills happen within this multiple of the usual import time, so that some happen just after the acknowledgement. */
const BEYOND = 1.15

/**
 * Imports one file after another: on PGlite through the running server, which is killed; on PostgreSQL in a separate
 * process, which is killed. A load must be visible completely or not at all, and complete after a retry, with every
 * project once.
 */
export async function killDuringImports(
  stage: Stage,
  world: KillsWorld,
  { kills, random, outcome, say }: KillRun,
): Promise<void> {
  let server = await stage.start()
  stage.starts.pop()
  const caller = await logIn(server.base, world.emails[0]!)
  let usualMs = await timedImport(stage, 0)
  for (let kill = 1; kill <= kills; kill += 1) {
    const file = importFile(stage, kill)
    const started = performance.now()
    const importing = stage.command(['import', file])
    await Promise.race([sleep(300 + random() * usualMs * BEYOND), importing.ended])
    const isAcknowledged = importing.child.exitCode === 0
    const breaksDatabase = stage.engine === 'postgres' && kill % 5 === 0
    importing.child.kill('SIGKILL')
    await Promise.all([importing.ended, server.kill(), breaksDatabase ? stage.breakDatabase() : undefined])
    server = await stage.start()
    await compare(caller, kill, isAcknowledged, outcome)
    if (!isAcknowledged) await again(stage, caller, kill, outcome)
    else usualMs = Math.max(usualMs * 0.9, performance.now() - started - 1_500)
    say(`${stage.engine} import ${kill}: ${isAcknowledged ? 'acknowledged before the kill' : 'cut off'}`)
  }
  await server.stop()
}

const wordOf = (kill: number) => `ไฟล์ที่${String(kill).padStart(3, '0')}ก`

function importFile(stage: Stage, kill: number): string {
  const titles = Array.from({ length: FILE_PROJECTS }, (_, n) => `${WATCHED_WORD} ${wordOf(kill)} แห่งที่ ${n}`)
  return writeProjects(stage.dataDir, `import-${kill}.csv`, 68_000_000_000 + kill * 10_000, titles)
}

async function timedImport(stage: Stage, number: number): Promise<number> {
  const started = performance.now()
  const code = await stage.command(['import', importFile(stage, number)]).ended
  if (code !== 0) throw new Error(`the import exited with code ${code}`)
  return performance.now() - started
}

async function compare(caller: Caller, kill: number, isAcknowledged: boolean, outcome: Outcome): Promise<void> {
  const visibleCount = await countProjectsByWord(caller, wordOf(kill))
  if (visibleCount !== 0 && visibleCount !== FILE_PROJECTS)
    outcome.halfApplied.push(`kill ${kill}: ${visibleCount} of ${FILE_PROJECTS} projects of the load are visible`)
  if (isAcknowledged && visibleCount !== FILE_PROJECTS)
    outcome.lost.push(`kill ${kill}: the import succeeded, but only ${visibleCount} of ${FILE_PROJECTS} projects exist`)
  if (isAcknowledged) outcome.acknowledged += 1
}

/** Retries the import; it resumes from the rows already staged. */
async function again(stage: Stage, caller: Caller, kill: number, outcome: Outcome): Promise<void> {
  await stage.passLeases()
  const code = await stage.command(['import', importFile(stage, kill)]).ended
  if (code !== 0) {
    outcome.lost.push(`kill ${kill}: the repeated import exited with code ${code}`)
    return
  }
  await compare(caller, kill, true, outcome)
}
