import { parseUsageSearch, printUsageSearch } from '#contract/user/usage-log.ts'
import { startQuery } from '#src/api/http/query-client.ts'
import { usagePageQuery } from '#src/api/user/usage-logs.ts'
import { type SearchPlace, searchAt } from '#src/lib/search-text.ts'

export function startUsageLog(place: SearchPlace): void {
  startQuery(usagePageQuery(printUsageSearch(parseUsageSearch(searchAt(place)).search)))
}
