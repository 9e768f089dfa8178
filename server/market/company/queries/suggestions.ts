import sql from 'sql-template-tag'
import type { CompanySuggestion } from '#contract/market/company.ts'
import { refOf } from '#server/market/company/company-input.ts'
import { nameConditions } from '#server/market/company/company-names-sql.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { findWinners } from './find.ts'

const MAX_SUGGESTIONS = 10

export async function suggestCompanies(db: Db, typed: string, isSampleOnly: boolean): Promise<CompanySuggestion[]> {
  if (typed.trim() === '') return []
  const companies = await findWinners(db, nameConditions([typed], sql`c.id`), { limit: MAX_SUGGESTIONS, isSampleOnly })
  return companies.map((company) => ({
    ...refOf(company),
    wins: company.wins,
    value: company.value_satang === null ? null : company.value_satang / 100,
  }))
}
