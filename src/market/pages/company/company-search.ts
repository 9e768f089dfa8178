import { COMPANY_PROJECT_SORT_FIELDS } from '#contract/market/company.ts'
import {
  type CompanySearch,
  type IgnoredCompanyParam,
  parseCompanySearch,
  printCompanySearch,
} from '#contract/market/company-params.ts'
import { readOnce } from '#src/lib/search-text.ts'

/** Path params of the page: the name whole, or in parts where something on the way decoded its slashes. */
export type CompanyParams =
  | { readonly name: string }
  | { readonly first: string; readonly second: string; readonly _splat?: string | undefined }

/** The name as it stands in the address. */
export function companyPart(params: CompanyParams): string {
  return 'name' in params ? params.name : [params.first, params.second, params._splat].filter(Boolean).join('/')
}

/** Orders of the projects; the first is the server's own and needs no choosing. */
export const PROJECT_ORDERINGS: readonly string[] = [
  '-decided_date',
  ...COMPANY_PROJECT_SORT_FIELDS.flatMap((field) => [`-${field}`, field]).filter((order) => order !== '-decided_date'),
]

type CompanyAddress = { readonly search: CompanySearch; readonly ignored: readonly IgnoredCompanyParam[] }

/** The search of the page. The orders here are those of projects, not those of the list of companies, which the parser knows. */
export const readCompanySearch = readOnce(({ ordering, ...flat }): CompanyAddress => {
  const { search, ignored } = parseCompanySearch(flat)
  if (ordering === undefined || ordering === PROJECT_ORDERINGS[0]) return { search, ignored }
  return PROJECT_ORDERINGS.includes(ordering)
    ? { search: { ...search, ordering }, ignored }
    : { search, ignored: [...ignored, { name: 'ordering', value: ordering, reason: 'invalid' }] }
})

export function printCompanyPageSearch({ ordering, ...search }: CompanySearch): Record<string, string> {
  return { ...printCompanySearch(search), ...(ordering === undefined ? {} : { ordering }) }
}
