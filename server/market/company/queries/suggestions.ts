import sql from 'sql-template-tag'
import type { CompanySuggestion } from '#contract/market/company.ts'
import { refOf } from '#server/market/company/company-input.ts'
import { nameConditions } from '#server/market/company/company-names-sql.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { findWinners } from './find.ts'

const MOST_SUGGESTED = 10

/**
 * Companies whose name or tax id contains the typed text; most wins first. `isSampleOnly`: by projects of the demo data
 * only.
 */
export async function suggestCompanies(db: Db, typed: string, isSampleOnly: boolean): Promise<CompanySuggestion[]> {
  if (typed.trim() === '') return []
  const found = await findWinners(db, nameConditions([typed], sql`c.id`), { most: MOST_SUGGESTED, isSampleOnly })
  return found.map((company) => ({
    ...refOf(company),
    wins: company.wins,
    value: company.value_satang === null ? null : company.value_satang / 100,
  }))
}
