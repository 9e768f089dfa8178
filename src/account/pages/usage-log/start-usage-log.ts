import { parseUsageSearch, printUsageSearch } from '#contract/account/usage-log.ts'
import { usagePageQuery } from '#src/account/api/usage-logs.ts'
import { startQuery } from '#src/api/http/query-client.ts'
import { memoizeLast, type SearchLocation, searchAt } from '#src/lib/search-text.ts'

export const readUsageAddress = memoizeLast(parseUsageSearch)

export function startUsageLog(location: SearchLocation): void {
  startQuery(usagePageQuery(printUsageSearch(readUsageAddress(searchAt(location)).search)))
}
