import sql from 'sql-template-tag'
import type { CompanySuggestion } from '#contract/market/company.ts'
import { toCompanyRef } from '#server/market/company/company-input.ts'
import { companyNameCondition } from '#server/market/company/company-names-sql.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { satangToBaht } from '#server/platform/text/satang-to-baht.ts'
import { findWinningCompanies } from './find.ts'

const MAX_SUGGESTIONS = 10

export async function suggestCompanies(db: Db, typed: string): Promise<CompanySuggestion[]> {
  if (typed.trim() === '') return []
  const companies = await findWinningCompanies(db, companyNameCondition([typed], sql`c.id`), MAX_SUGGESTIONS)
  return companies.map((company) => ({
    ...toCompanyRef(company),
    wins: company.wins,
    value: satangToBaht(company.value_satang),
  }))
}
