import { openBudgetYears } from '#contract/fiscal-year.ts'
import type { Db } from '#server/db/db.ts'
import { ProblemError } from '#server/route/problem.ts'
import { loadBudgetPackage, loadedYears } from './queries-years.ts'

/** What an organisation may see of the budget. */
export type BudgetAccess = {
  /** Open fiscal years, newest first. */
  readonly years: readonly number[]
  readonly start: string | null
  readonly end: string | null
}

/** The fiscal years that an organisation's package and date limits open (D14, C20). */
export async function budgetAccess(db: Db, organisationId: number): Promise<BudgetAccess> {
  const row = await loadBudgetPackage(db, organisationId)
  if (!row) throw new ProblemError('session_invalid')
  const { start, end } = row
  return { years: openBudgetYears(row.allowed, { start, end }), start, end }
}

/**
 * The year that is asked for, or, when none is, the newest open one that has data. One that is not open is refused in the same words whether it
 * has data or not.
 */
export async function openYear(db: Db, { years }: BudgetAccess, asked: number | undefined): Promise<number> {
  if (asked !== undefined) {
    if (!years.includes(asked)) throw new ProblemError('forbidden', { details: { code: 'forbidden' } })
    return asked
  }
  const [newest] = years
  if (newest === undefined) throw new ProblemError('forbidden', { details: { code: 'forbidden' } })
  const loaded = new Set((await loadedYears(db)).map(({ fiscal_year }) => fiscal_year))
  return years.find((year) => loaded.has(year)) ?? newest
}
