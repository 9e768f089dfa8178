import {
  COMPANY_PROJECT_SORT_FIELDS,
  type CompanySearch,
  formatCompanySearch,
  type IgnoredCompanyParam,
  parseCompanySearch,
} from '#contract/market/company-params.ts'
import type { FlatSearchParams } from '#src/lib/flat-search-params.ts'

/** Orderings of the project list; the first is the server's default. */
export const COMPANY_PROJECT_ORDERINGS: readonly [string, ...string[]] = [
  '-decided_date',
  ...COMPANY_PROJECT_SORT_FIELDS.flatMap((field) => [`-${field}`, field]).filter((order) => order !== '-decided_date'),
]

type CompanyAddress = { readonly search: CompanySearch; readonly ignored: readonly IgnoredCompanyParam[] }

/** Parses `ordering` itself, because the shared parser only knows the orders of the company list. */
export function parseCompanyPageSearch({ ordering, ...flat }: FlatSearchParams): CompanyAddress {
  const { search, ignored } = parseCompanySearch(flat)
  if (ordering === undefined || ordering === COMPANY_PROJECT_ORDERINGS[0]) return { search, ignored }
  return COMPANY_PROJECT_ORDERINGS.includes(ordering)
    ? { search: { ...search, ordering }, ignored }
    : { search, ignored: [...ignored, { name: 'ordering', value: ordering, reason: 'invalid' }] }
}

export function formatCompanyPageSearch({ ordering, ...search }: CompanySearch): Record<string, string> {
  return { ...formatCompanySearch(search), ...(ordering === undefined ? {} : { ordering }) }
}
