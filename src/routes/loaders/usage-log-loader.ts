import { formatUsageLogSearch, type UsageLogSearch } from '#contract/account/usage-log.ts'
import { usageLogPageQuery } from '#src/account/api/usage-logs.ts'
import { startQueryInBackground } from '#src/api/http/query-client.ts'
import type { LoaderContext } from './loader-context.ts'

export function usageLogLoader({ context: { queryClient }, deps }: LoaderContext<UsageLogSearch>): void {
  startQueryInBackground(queryClient, usageLogPageQuery(formatUsageLogSearch(deps)))
}
