import { companyNameOf, companyNamePart } from '#contract/catalogue/company-address.ts'
import { isAgencyCode } from '#contract/market/agency-params.ts'
import { printSearchText } from './search-text.ts'

/** An agency as the last part of an address, before percent-encoding: its code where one is known, else its text, written as names of companies are. */
export const agencyPart = ({ code, text }: { readonly code?: string | null; readonly text: string }): string =>
  code ?? companyNamePart(text)

/** The code or the text that a part of an address stands for, as cache keys and the heading say it. */
export const agencyOf = (part: string): string => (isAgencyCode(part) ? part : companyNameOf(part))

/** Address of an agency's page, by its text. */
export const agencyHref = (text: string, search: Readonly<Record<string, string>> = {}): string =>
  `/agencies/${encodeURIComponent(agencyPart({ text }))}${printSearchText(search)}`
