import { encodeNamePart } from '#contract/catalogue/company-address.ts'
import type { CompanyRef } from '#contract/market/company.ts'
import { parseCompanySearch } from '#contract/market/company-params.ts'
import { memoizeLast, printSearchText } from './search-text.ts'

export const readCompaniesAddress = memoizeLast(parseCompanySearch)

/**
 * Returns the extra URL parameter: the tax id if another company has the same name, or `-` if this one then has no tax
 * id.
 */
export function companyTinParam(company: Pick<CompanyRef, 'tax_id' | 'is_shared_name'>): { tin?: string } {
  return company.is_shared_name ? { tin: company.tax_id ?? '-' } : {}
}

export function companyHref(
  company: Pick<CompanyRef, 'name' | 'tax_id' | 'is_shared_name'>,
  search: Readonly<Record<string, string>> = {},
): string {
  return `/companies/${encodeURIComponent(encodeNamePart(company.name))}${printSearchText({ ...companyTinParam(company), ...search })}`
}
