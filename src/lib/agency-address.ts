import { companyNameOf, companyNamePart } from '#contract/catalogue/company-address.ts'
import { isAgencyCode } from '#contract/market/agency-params.ts'
import { printSearchText } from './search-text.ts'

/**
 * Returns an agency's URL segment, not percent-encoded: its code if known, else its name in the same form as company
 * names.
 */
export const agencyPart = ({ code, text }: { readonly code?: string | null; readonly text: string }): string =>
  code ?? companyNamePart(text)

export const agencyOf = (part: string): string => (isAgencyCode(part) ? part : companyNameOf(part))

export const agencyHref = (text: string, search: Readonly<Record<string, string>> = {}): string =>
  `/agencies/${encodeURIComponent(agencyPart({ text }))}${printSearchText(search)}`
