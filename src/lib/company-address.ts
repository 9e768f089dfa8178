import type { CompanyRef } from '#contract/company/company.ts'
import { parseCompanySearch } from '#contract/company/company-params.ts'
import { printSearchText, readOnce } from './search-text.ts'

/** The search of the list of companies, and of a comparison. */
export const readCompaniesAddress = readOnce(parseCompanySearch)

/** NFC does not join nikhahit and sara aa, as some sources write sara am, also with a tone between them. */
const SPLIT_SARA_AM = /\u0e4d([\u0e48-\u0e4b]*)\u0e32/g

/**
 * A company's name as the last part of an address, before percent-encoding. Dots at the start, of the name or behind a slash in it, would be
 * taken for a folder above or for a hidden file (C11), so they are written `~2E`; a tilde that would read as such a mark is written `~7E`.
 */
export function companyNamePart(name: string): string {
  const plain = name.replace(/~(?=2E|7E)/g, '~7E')
  return plain.replace(/(?<=^|\/)\.+/g, (dots) => dots.replaceAll('.', '~2E'))
}

/** The name that a part of an address stands for, composed: sara am comes in two encodings. */
export function companyNameOf(part: string): string {
  const name = part.replaceAll('~2E', '.').replaceAll('~7E', '~')
  return name.replace(SPLIT_SARA_AM, '$1\u0e33').normalize('NFC')
}

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
