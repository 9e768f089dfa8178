import { BudgetTexts } from '#server/market/budget/budget-texts.ts'
import { CompanyMemory } from '#server/market/company/memory/company-memory.ts'
import { AwardMemory } from '#server/market/who-wins/memory/award-memory.ts'
import type { Db } from '#server/platform/engine/db.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { ReportMemory } from '#server/report/memory/report-memory.ts'

/** What questions are answered from instead of the database, each within its share of `REPORT_MEMORY_MB`, and ended with the process. Undefined: nothing is held. */
export type HeldMemory = {
  readonly report: ReportMemory | undefined
  readonly companies: CompanyMemory | undefined
  readonly awards: AwardMemory | undefined
}

declare module 'fastify' {
  interface FastifyInstance {
    /** What this process answers from: its jobs ask it too. */
    readonly heldMemory: HeldMemory
  }
}

/** Holds it for a server, which reads the report's columns at once, or for a worker (`isLazy`), which reads them when a job first asks for them. */
export function holdMemory(app: RouteApp, db: Db, megabytes = 0, { isLazy = false } = {}): HeldMemory {
  const report = holdReport(app, db, megabytes, isLazy)
  const companies = holdCompanies(app, db, megabytes)
  const held = { report, companies, awards: holdAwards(app, db, { report, companies }, megabytes) }
  app.decorate('heldMemory', held)
  return held
}

function holdReport(app: RouteApp, db: Db, megabytes: number, isLazy: boolean): ReportMemory | undefined {
  if (megabytes === 0) return undefined
  const memory = new ReportMemory(db, { megabytes })
  if (!isLazy)
    app.addHook('onReady', async () =>
      memory.start((error) => app.log.warn({ err: error }, 'the report is answered by SQL: its columns are not read')),
    )
  app.addHook('onClose', () => memory.stop())
  return memory
}

/** What lists of companies and comparisons are answered from is read when the first is asked for; it takes a quarter of the report's memory at most, beside it. */
function holdCompanies(app: RouteApp, db: Db, megabytes: number): CompanyMemory | undefined {
  if (megabytes === 0) return undefined
  const memory = new CompanyMemory(db, { megabytes: megabytes / 4 })
  app.addHook('onClose', () => memory.stop())
  return memory
}

/** What joins both for the view of the winners is read when it is first asked for: a quarter of the report's memory at most with the companies, beside it. */
function holdAwards(
  app: RouteApp,
  db: Db,
  parts: { readonly report: ReportMemory | undefined; readonly companies: CompanyMemory | undefined },
  megabytes: number,
): AwardMemory | undefined {
  const { report, companies } = parts
  if (!report || !companies) return undefined
  const memory = new AwardMemory(db, { report, companies }, { megabytes: megabytes / 4 })
  app.addHook('onClose', () => memory.stop())
  return memory
}

/** The texts of the budget are read when one is first searched for: an eighth of the report's memory at most, beside it. */
export function holdBudgetTexts(app: RouteApp, db: Db, megabytes = 0): BudgetTexts | undefined {
  if (megabytes === 0) return undefined
  const texts = new BudgetTexts(db, { megabytes: megabytes / 8 })
  app.addHook('onClose', () => texts.stop())
  return texts
}
