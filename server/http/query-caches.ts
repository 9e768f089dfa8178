import { getBangkokToday } from '#contract/thai/thai-date.ts'
import { findRecentOrganisationUsers } from '#server/account/session/queries.ts'
import { BudgetTextCache } from '#server/market/budget/budget-text-cache.ts'
import { CompanyFactCache } from '#server/market/company/memory/company-fact-cache.ts'
import { AwardCache } from '#server/market/who-wins/memory/award-cache.ts'
import { presentUnusualAwardPatterns } from '#server/market/who-wins/signs/present-signs.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { runPeriodically, type StoppableTask } from '#server/platform/queue/run-periodically.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { openReportMemory, type ReportMemory } from '#server/report/report-engine.ts'

const REPORT_POLL_INTERVAL_MS = 2_000

/**
 * In-process caches that answer queries instead of the database, each within its share of `REPORT_MEMORY_MB` and
 * stopped with the process. A cache that is undefined is disabled.
 */
export type QueryCaches = {
  readonly report: ReportMemory | undefined
  readonly companies: CompanyFactCache | undefined
  readonly awards: AwardCache | undefined
}

declare module 'fastify' {
  interface FastifyInstance {
    readonly queryCaches: QueryCaches
  }
}

export function createQueryCaches(app: RouteApp, db: Db, megabytes = 0, { isLazy = false } = {}): QueryCaches {
  const report = createReportMemory(app, db, megabytes, isLazy)
  const companies = createCompanyMemory(app, db, megabytes)
  const caches = { report, companies, awards: createAwardMemory(app, db, { report, companies }, megabytes) }
  app.decorate('queryCaches', caches)
  return caches
}

/**
 * Loads what the users who are at work will query: the report's columns, the matches of their organisations and, once
 * for all, the companies, the awards and the notable facts about the awards of the whole market. Each loads only if it
 * is stale.
 */
export async function preloadQueryCaches(db: Db, { report, awards }: QueryCaches, now: Date): Promise<void> {
  const users = await findRecentOrganisationUsers(db, now)
  await report?.load(
    users.map(({ organisationId }) => organisationId),
    { canEvict: false },
  )
  const [user] = users
  const marketAwards = user && (await awards?.preload({ ...user, today: getBangkokToday(now), isMarket: true }))
  if (marketAwards) await presentUnusualAwardPatterns(db, marketAwards)
}

function createReportMemory(app: RouteApp, db: Db, megabytes: number, isLazy: boolean): ReportMemory | undefined {
  if (megabytes === 0) return undefined
  const memory = openReportMemory(db, { megabytes })
  let polling: StoppableTask | undefined
  if (!isLazy)
    app.addHook('onReady', async () => {
      polling = runPeriodically({
        everyMs: REPORT_POLL_INTERVAL_MS,
        work: () => memory.load(),
        onFailure: (error) => app.log.warn({ err: error }, 'report columns not loaded: answering from SQL'),
      })
    })
  app.addHook('onClose', async () => {
    await Promise.all([polling?.stop(), memory.close()])
  })
  return memory
}

/**
 * Creates the cache of company lists and comparisons. It loads after a start or on first use, in addition to the
 * report's memory and at most a quarter of its size.
 */
function createCompanyMemory(app: RouteApp, db: Db, megabytes: number): CompanyFactCache | undefined {
  if (megabytes === 0) return undefined
  const memory = new CompanyFactCache(db, { megabytes: megabytes / 4 })
  app.addHook('onClose', () => memory.stop())
  return memory
}

/**
 * Creates the cache of the winners view, which joins the report and company caches and loads likewise. Together with
 * the company cache it takes at most a quarter of the report's memory, in addition to it.
 */
function createAwardMemory(
  app: RouteApp,
  db: Db,
  parts: { readonly report: ReportMemory | undefined; readonly companies: CompanyFactCache | undefined },
  megabytes: number,
): AwardCache | undefined {
  const { report, companies } = parts
  if (!report || !companies) return undefined
  const memory = new AwardCache(db, { report, companies }, { megabytes: megabytes / 4 })
  app.addHook('onClose', () => memory.stop())
  return memory
}

/**
 * Creates the cache of budget texts. It loads at the first search, in addition to the report's memory and at most an
 * eighth of its size.
 */
export function createBudgetTextCache(app: RouteApp, db: Db, megabytes = 0): BudgetTextCache | undefined {
  if (megabytes === 0) return undefined
  const texts = new BudgetTextCache(db, { megabytes: megabytes / 8 })
  app.addHook('onClose', () => texts.stop())
  return texts
}
