import type { CompanyRef } from '#contract/market/company.ts'
import { type CompanySearch, figureScopeOf, printCompanySearch } from '#contract/market/company-params.ts'
import { SEARCH_LIMITS } from '#contract/search/search-grammar.ts'

/** A company as a comparison names it: by its tax id where its name does not tell it from others. */
const nameForComparison = ({ name, tax_id, is_shared_name }: CompanyRef) =>
  is_shared_name && tax_id !== null ? tax_id : name

/** The search of a comparison of these companies in the same scope. */
export function comparisonSearch(companies: readonly CompanyRef[], search: CompanySearch): Record<string, string> {
  return printCompanySearch({
    ...figureScopeOf(search),
    project_winner_name__in: companies.map(nameForComparison),
  })
}

/** Quoted, the signs of the search grammar are letters like others. */
const quoted = (name: string) => `"${name.replace(/[\\"]/g, '\\$&')}"`

/** The search of the report for what a company won: by its name and as many of its other spellings as an expression holds. */
export function winnerSearch(name: string, aliases: readonly string[]): Record<string, string> {
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
