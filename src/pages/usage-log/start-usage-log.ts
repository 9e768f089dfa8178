import { parseUsageSearch, printUsageSearch } from '#contract/user/usage-log.ts'
import { startQuery } from '#src/api/http/query-client.ts'
import { usagePageQuery } from '#src/api/user/usage-logs.ts'
import { readOnce, type SearchPlace, searchAt } from '#src/lib/search-text.ts'

/** Filters and page. */
export const readUsageAddress = readOnce(parseUsageSearch)

export function startUsageLog(place: SearchPlace): void {
  startQuery(usagePageQuery(printUsageSearch(readUsageAddress(searchAt(place)).search)))
}
