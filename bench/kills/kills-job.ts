import { setTimeout as sleep } from 'node:timers/promises'
import { REPORT_COLUMNS } from '#contract/catalogue/report-columns.ts'
import type { BudgetYears } from '#contract/market/budget.ts'
import type { ReportExport } from '#contract/report/report-export.ts'
import type { Stage } from './kills-stage.ts'
import {
  BASE_PROJECT_COUNT,
  type Caller,
  countProjectsByWord,
  GROUP_COUNT,
  getGroupWord,
  type KillRun,
  type KillsWorld,
  logIn,
  type Outcome,
  WATCHED_WORD,
  writeBudget,
  writeProjects,
} from './kills-world.ts'

type Job = {
  readonly name: string
  begin(kill: number): Promise<boolean>
  check(kill: number, isAcknowledged: boolean): Promise<void>
}

const WAIT_MS = 90_000

/**
 * Rotates through the server's jobs: rematching after a changed list, a report export, mails and notifications after a
 * load, a year's budget.
 */
export async function killDuringJobs(
  stage: Stage,
  world: KillsWorld,
  { kills, random, outcome, say }: KillRun,
): Promise<void> {
  let server = await stage.start()
  stage.starts.pop()
  const caller = await logIn(server.base, world.emails[0]!)
  const jobs = [
    matching(caller, outcome),
    exporting(caller, outcome),
    notifyJob(stage, caller, outcome),
    budget(stage, caller, outcome),
  ]
  for (let kill = 1; kill <= kills; kill += 1) {
    const job = jobs[kill % jobs.length]!
    const begun = job.begin(kill).catch(() => false)
    // Short waits interrupt requests and commands before they are acknowledged, long ones interrupt the workers.
    const isQuick = random() < 0.4
    if (!isQuick) await begun
    await sleep(random() * (isQuick ? 1_500 : 700))
    if (kill % 5 === 0) await Promise.all([server.kill(), stage.breakDatabase()])
    else await server.kill()
    const isAcknowledged = await begun
    if (isAcknowledged) outcome.acknowledged += 1
    server = await stage.start()
    await stage.passLeases()
    await job.check(kill, isAcknowledged)
    say(`${stage.engine} job ${kill}: ${job.name}, ${isAcknowledged ? 'acknowledged' : 'cut off'}`)
  }
  await server.stop()
}

async function until<T>(what: string, probe: () => Promise<T | undefined>): Promise<T> {
  const end = performance.now() + WAIT_MS
  for (;;) {
    const result = await probe()
    if (result !== undefined) return result
    if (performance.now() > end) throw new Error(`${what}: timed out after ${WAIT_MS / 1000} s`)
    await sleep(200)
  }
}

function matching(caller: Caller, outcome: Outcome): Job {
  const expected = BASE_PROJECT_COUNT / GROUP_COUNT
  return {
    name: 'matching',
    async begin(kill) {
      const body = { include_keywords: [{ word: getGroupWord(kill) }] }
      return (await caller.send('POST', '/organisations/me', body))?.status === 200
    },
    async check(kill, isAcknowledged) {
      type Lists = { include: readonly { word: string }[] }
      const { include: words } = await caller.get<Lists>('/organisations/me')
      const isListed = words.some(({ word }) => word === getGroupWord(kill))
      if (isAcknowledged && !isListed) outcome.lost.push(`kill ${kill}: the keyword is missing from the list`)
      const find = () => countProjectsByWord(caller, getGroupWord(kill))
      if (!isListed) {
        if ((await find()) > 0) outcome.halfApplied.push(`kill ${kill}: matches for a keyword that is in no list`)
        return
      }
      await until('matching', async () => ((await find()) === expected ? true : undefined)).catch(async () => {
        outcome.lost.push(`kill ${kill}: ${await find()} of ${expected} matches`)
      })
    },
  }
}

function exporting(caller: Caller, outcome: Outcome): Job {
  const ids = new Map<number, string>()
  return {
    name: 'export',
    async begin(kill) {
      const body = { format: 'xlsx', query: {}, columns: REPORT_COLUMNS.map(({ field }) => field) }
      const answer = await caller.send<ReportExport>('POST', '/projects/exports', body)
      if (answer?.status === 202) ids.set(kill, answer.body.id)
      return answer?.status === 202
    },
    async check(kill, isAcknowledged) {
      const id = ids.get(kill)
      if (!isAcknowledged || id === undefined) return
      try {
        const done = await until('export', async () => {
          const now = await caller.get<ReportExport>(`/projects/exports/${id}`)
          return now.state === 'waiting' || now.state === 'running' ? undefined : now
        })
        const file = await caller.file(`/projects/exports/${id}/file`)
        const isWhole = file.length === done.bytes && file[0] === 0x50 && endsAsZip(file)
        if (done.state !== 'done' || !isWhole)
          outcome.halfApplied.push(`kill ${kill}: export ${done.state}, ${file.length} of ${done.bytes} bytes`)
      } catch (error) {
        outcome.lost.push(`kill ${kill}: ${(error as Error).message}`)
      }
    },
  }
}

/** Returns true if a file ends with the end record of a ZIP, which has 22 bytes without a comment. */
const endsAsZip = (file: Uint8Array) => Buffer.from(file.subarray(-22, -18)).toString('latin1') === 'PK\u0005\u0006'

/**
 * Returns the job of mails and notifications after a load. The end of the run checks that each was sent exactly once
 * (kills-inspect.ts).
 */
function notifyJob(stage: Stage, caller: Caller, outcome: Outcome): Job {
  const projects = 60
  const wordOf = (kill: number) => `ข่าวที่${String(kill).padStart(3, '0')}ก`
  const fileOf = (kill: number) =>
    writeProjects(
      stage.dataDir,
      `news-${kill}.csv`,
      69_000_000_000 + kill * 1_000,
      Array.from({ length: projects }, (_, n) => `${WATCHED_WORD} ${wordOf(kill)} แห่งที่ ${n}`),
    )
  const run = async (kill: number) => (await stage.command(['import', fileOf(kill)]).ended) === 0
  return {
    name: 'mails and notifications',
    begin: run,
    async check(kill, isAcknowledged) {
      const visibleCount = await countProjectsByWord(caller, wordOf(kill))
      if (visibleCount !== 0 && visibleCount !== projects)
        outcome.halfApplied.push(`kill ${kill}: ${visibleCount} of ${projects} projects`)
      if (isAcknowledged && visibleCount !== projects)
        outcome.lost.push(`kill ${kill}: ${visibleCount} of ${projects} projects`)
      if (!isAcknowledged && !(await run(kill))) outcome.lost.push(`kill ${kill}: the repeated import failed`)
    },
  }
}

function budget(stage: Stage, caller: Caller, outcome: Outcome): Job {
  const itemsOf = (kill: number) => 400 + kill * 10
  let before = 0
  const run = async (kill: number) =>
    (await stage.command(['import', writeBudget(stage.dataDir, itemsOf(kill))]).ended) === 0
  const items = async () => {
    const { years } = await caller.get<BudgetYears>('/budgets/years')
    return years.find(({ fiscal_year: year }) => year === 2570)?.items ?? 0
  }
  return {
    name: 'budget',
    begin: run,
    async check(kill, isAcknowledged) {
      const itemCount = await items()
      if (itemCount !== before && itemCount !== itemsOf(kill))
        outcome.halfApplied.push(`kill ${kill}: ${itemCount} budget items, not ${before} or ${itemsOf(kill)}`)
      if (isAcknowledged && itemCount !== itemsOf(kill))
        outcome.lost.push(`kill ${kill}: ${itemCount} of ${itemsOf(kill)} budget items`)
      if (!isAcknowledged && (!(await run(kill)) || (await items()) !== itemsOf(kill)))
        outcome.lost.push(`kill ${kill}: the repeated budget import failed or is incomplete`)
      before = await items()
    },
  }
}
