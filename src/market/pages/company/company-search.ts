import { COMPANY_PROJECT_SORT_FIELDS } from '#contract/market/company.ts'
import {
  type CompanySearch,
  type IgnoredCompanyParam,
  parseCompanySearch,
  printCompanySearch,
} from '#contract/market/company-params.ts'
import { memoizeLast } from '#src/lib/search-text.ts'

/** Path params: the name as one segment, or as several when a proxy decoded its slashes. */
export type CompanyParams =
  | { readonly name: string }
  | { readonly first: string; readonly second: string; readonly _splat?: string | undefined }

export function companyPart(params: CompanyParams): string {
  return 'name' in params ? params.name : [params.first, params.second, params._splat].filter(Boolean).join('/')
}

/** The first is the server's default. */
export const PROJECT_ORDERINGS: readonly string[] = [
  '-decided_date',
  ...COMPANY_PROJECT_SORT_FIELDS.flatMap((field) => [`-${field}`, field]).filter((order) => order !== '-decided_date'),
]

type CompanyAddress = { readonly search: CompanySearch; readonly ignored: readonly IgnoredCompanyParam[] }

/** Reads `ordering` separately, because the parser only knows the orders of the company list. */
export const readCompanySearch = memoizeLast(({ ordering, ...flat }): CompanyAddress => {
  const { search, ignored } = parseCompanySearch(flat)
  if (ordering === undefined || ordering === PROJECT_ORDERINGS[0]) return { search, ignored }
  return PROJECT_ORDERINGS.includes(ordering)
    ? { search: { ...search, ordering }, ignored }
    : { search, ignored: [...ignored, { name: 'ordering', value: ordering, reason: 'invalid' }] }
})

export function printCompanyPageSearch({ ordering, ...search }: CompanySearch): Record<string, string> {
  return { ...printCompanySearch(search), ...(ordering === undefined ? {} : { ordering }) }
}
