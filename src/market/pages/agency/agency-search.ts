import { parseAgencySearch } from '#contract/market/agency-params.ts'
import { memoizeLast } from '#src/lib/search-text.ts'

export const readAgencySearch = memoizeLast(parseAgencySearch)
