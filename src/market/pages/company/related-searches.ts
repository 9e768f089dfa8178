import type { CompanyRef } from '#contract/market/company.ts'
import { type CompanySearch, toStatisticsScopeSearch } from '#contract/market/company-params.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { SEARCH_LIMITS } from '#contract/search/search-grammar.ts'
import { toCompanyParam } from '#src/lib/company-url.ts'

export function buildComparisonSearch(companies: readonly CompanyRef[], search: CompanySearch): CompanySearch {
  return { ...toStatisticsScopeSearch(search), project_winner_name__in: companies.map(toCompanyParam) }
}

/** Quotes a name, so that the search grammar ignores operators in it. */
const quoted = (name: string) => `"${name.replace(/[\\"]/g, '\\$&')}"`

/** Includes as many other spellings of the company's name as an expression allows. */
export function buildCompanyWonProjectsSearch(name: string, aliases: readonly string[]): ReportSearch {
  let expression = quoted(name)
  let terms = 1
  for (const alias of aliases) {
    const longer = `${expression} || ${quoted(alias)}`
    if (longer.length > SEARCH_LIMITS.characters || terms === SEARCH_LIMITS.terms) break
    expression = longer
    terms += 1
  }
  return { project_winner_name__in: expression }
}
