import { encodeNameForUrlPath } from '#contract/catalogue/company-name-part.ts'
import type { CompanyRef } from '#contract/market/company.ts'
import { formatQueryString } from './flat-search-params.ts'

/** Returns the tax id, or `-` for none, that distinguishes companies of one name; empty for a unique name. */
export function buildCompanyTaxIdParam(company: Pick<CompanyRef, 'tax_id' | 'is_shared_name'>): { tin?: string } {
  return company.is_shared_name ? { tin: company.tax_id ?? '-' } : {}
}

export function getCompanyHref(
  company: Pick<CompanyRef, 'name' | 'tax_id' | 'is_shared_name'>,
  search: Readonly<Record<string, string>> = {},
): string {
  return `/companies/${encodeURIComponent(encodeNameForUrlPath(company.name))}${formatQueryString({ ...buildCompanyTaxIdParam(company), ...search })}`
}

/** Returns how a list of companies in the URL names one: by tax id when another company has the same name. */
export function toCompanyParam({
  name,
  tax_id: taxId,
  is_shared_name: isSharedName,
}: Pick<CompanyRef, 'name' | 'tax_id' | 'is_shared_name'>): string {
  return isSharedName && taxId !== null ? taxId : name
}
