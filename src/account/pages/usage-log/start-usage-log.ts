import { parseUsageSearch, printUsageSearch } from '#contract/account/usage-log.ts'
import { usagePageQuery } from '#src/account/api/usage-logs.ts'
import { startQuery } from '#src/api/http/query-client.ts'
import { readOnce, type SearchPlace, searchAt } from '#src/lib/search-text.ts'

export const readUsageAddress = readOnce(parseUsageSearch)

export function startUsageLog(place: SearchPlace): void {
  startQuery(usagePageQuery(printUsageSearch(readUsageAddress(searchAt(place)).search)))
}
