import { isAgencyCode } from '#contract/company/agency-params.ts'
import { companyNameOf, companyNamePart } from './company-address.ts'
import { printSearchText } from './search-text.ts'

/** An agency as the last part of an address, before percent-encoding: its code where one is known, else its name, written as those of companies are. */
export const agencyPart = ({ code, name }: { readonly code?: string | null; readonly name: string }): string =>
  code ?? companyNamePart(name)

/** The code or the name that a part of an address stands for, as cache keys and the heading say it. */
export const agencyOf = (part: string): string => (isAgencyCode(part) ? part : companyNameOf(part))

/** Address of an agency's page, by its name. */
export const agencyHref = (name: string, search: Readonly<Record<string, string>> = {}): string =>
  `/agencies/${encodeURIComponent(agencyPart({ name }))}${printSearchText(search)}`
