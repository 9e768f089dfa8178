import { encodeNameForUrlPath } from '#contract/catalogue/company-name-part.ts'
import type { CompanyRef } from '#contract/market/company.ts'
import { formatQueryString } from './flat-search-params.ts'

/** Tells companies of the same name apart by tax id, or `-` if it has none. Empty for a unique name. */
export function buildCompanyTaxIdParam(company: Pick<CompanyRef, 'tax_id' | 'is_shared_name'>): { tin?: string } {
  return company.is_shared_name ? { tin: company.tax_id ?? '-' } : {}
}

export function getCompanyHref(
  company: Pick<CompanyRef, 'name' | 'tax_id' | 'is_shared_name'>,
  search: Readonly<Record<string, string>> = {},
): string {
  return `/companies/${encodeURIComponent(encodeNameForUrlPath(company.name))}${formatQueryString({ ...buildCompanyTaxIdParam(company), ...search })}`
}
