import { parseAgencySearch } from '#contract/market/agency-params.ts'
import { memoizeLastResult } from '#src/lib/search-text.ts'

export const parseAgencyPageSearch = memoizeLastResult(parseAgencySearch)
