import { formatUsageLogSearch, parseUsageLogSearch } from '#contract/account/usage-log.ts'
import { usageLogPageQuery } from '#src/account/api/usage-logs.ts'
import { startQuery } from '#src/api/http/query-client.ts'
import { flatSearchOf, memoizeLast, type SearchLocation } from '#src/lib/search-text.ts'

export const readUsageSearch = memoizeLast(parseUsageLogSearch)

export function startUsageLog(location: SearchLocation): void {
  startQuery(usageLogPageQuery(formatUsageLogSearch(readUsageSearch(flatSearchOf(location)).search)))
}
