import type { CompanyTimeline } from '#contract/company.ts'
import type { FactScope } from '#server/db/company-scope.ts'
import type { Db } from '#server/db/db.ts'
import { loadTimeline } from './queries-timeline.ts'

/** Wins and bids of a company in a scope, in the order of time. */
export async function companyTimeline(db: Db, companyId: number, scope: FactScope): Promise<CompanyTimeline> {
  const { total, rows } = await loadTimeline(db, companyId, scope)
  return {
    total,
    results: rows.map((row) => ({
      project_id: row.project_id,
      name: row.name,
      date: row.date,
      value: row.value_satang === null ? null : row.value_satang / 100,
      method: row.method,
      is_winner: row.is_winner,
      in_report: row.in_report,
    })),
  }
}
