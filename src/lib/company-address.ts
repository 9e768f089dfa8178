import { companyNamePart } from '#contract/catalogue/company-address.ts'
import type { CompanyRef } from '#contract/market/company.ts'
import { parseCompanySearch } from '#contract/market/company-params.ts'
import { printSearchText, readOnce } from './search-text.ts'

export const readCompaniesAddress = readOnce(parseCompanySearch)

/**
 * Returns additional URL parameters: the tax id if another company has the same name, `-` if this one has no tax id.
 */
export function companyTin(company: Pick<CompanyRef, 'tax_id' | 'is_shared_name'>): { tin?: string } {
  return company.is_shared_name ? { tin: company.tax_id ?? '-' } : {}
}

export function companyHref(
  company: Pick<CompanyRef, 'name' | 'tax_id' | 'is_shared_name'>,
  search: Readonly<Record<string, string>> = {},
): string {
  return `/companies/${encodeURIComponent(companyNamePart(company.name))}${printSearchText({ ...companyTin(company), ...search })}`
}
