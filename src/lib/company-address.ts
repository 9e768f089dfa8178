import { companyNamePart } from '#contract/catalogue/company-address.ts'
import type { CompanyRef } from '#contract/market/company.ts'
import { parseCompanySearch } from '#contract/market/company-params.ts'
import { printSearchText, readOnce } from './search-text.ts'

/** The search of the list of companies, and of a comparison. */
export const readCompaniesAddress = readOnce(parseCompanySearch)

/** The parameters that its address needs beside the name: the tax id where another company has the same name, `-` where this one has none. */
export function companyTin(company: Pick<CompanyRef, 'tax_id' | 'is_shared_name'>): { tin?: string } {
  return company.is_shared_name ? { tin: company.tax_id ?? '-' } : {}
}

/** Address of a company's page, with the figure scope of the screen it is opened from. */
export function companyHref(
  company: Pick<CompanyRef, 'name' | 'tax_id' | 'is_shared_name'>,
  search: Readonly<Record<string, string>> = {},
): string {
  return `/companies/${encodeURIComponent(companyNamePart(company.name))}${printSearchText({ ...companyTin(company), ...search })}`
}
