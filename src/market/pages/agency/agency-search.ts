import { parseAgencySearch } from '#contract/market/agency-params.ts'
import { memoizeLastResult } from '#src/lib/flat-search-params.ts'

export const parseAgencyPageSearch = memoizeLastResult(parseAgencySearch)
