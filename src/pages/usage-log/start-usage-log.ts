import { parseUsageSearch, printUsageSearch } from '#contract/usage-log.ts'
import { startQuery } from '#src/api/query-client.ts'
import { usagePageQuery } from '#src/api/usage-logs.ts'
import { type SearchPlace, searchAt } from '#src/lib/search-text.ts'

export function startUsageLog(place: SearchPlace): void {
  startQuery(usagePageQuery(printUsageSearch(parseUsageSearch(searchAt(place)).search)))
}
