import { decodeNameFromUrlPath, encodeNameForUrlPath } from '#contract/catalogue/company-name-part.ts'
import { isAgencyCode } from '#contract/market/agency-params.ts'
import { formatQueryString } from './flat-search-params.ts'

/** Returns an agency's URL segment, not percent-encoded: its code if known, else its name as in company URLs. */
export const toAgencyUrlSegment = ({ code, text }: { readonly code?: string | null; readonly text: string }): string =>
  code ?? encodeNameForUrlPath(text)

export const parseAgencyUrlSegment = (segment: string): string =>
  isAgencyCode(segment) ? segment : decodeNameFromUrlPath(segment)

export const getAgencyHref = (text: string, search: Readonly<Record<string, string>> = {}): string =>
  `/agencies/${encodeURIComponent(toAgencyUrlSegment({ text }))}${formatQueryString(search)}`
