import { decodeNamePart, encodeNamePart } from '#contract/catalogue/company-name-part.ts'
import { isAgencyCode } from '#contract/market/agency-params.ts'
import { formatSearchText } from './search-text.ts'

/**
 * Returns an agency's URL segment, not percent-encoded: its code if known, else its name in the same form as company
 * names.
 */
export const agencySegment = ({ code, text }: { readonly code?: string | null; readonly text: string }): string =>
  code ?? encodeNamePart(text)

export const agencyFromSegment = (segment: string): string =>
  isAgencyCode(segment) ? segment : decodeNamePart(segment)

export const agencyHref = (text: string, search: Readonly<Record<string, string>> = {}): string =>
  `/agencies/${encodeURIComponent(agencySegment({ text }))}${formatSearchText(search)}`
