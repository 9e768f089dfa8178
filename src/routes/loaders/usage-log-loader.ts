import { formatUsageLogSearch, type UsageLogSearch } from '#contract/account/usage-log.ts'
import { usageLogPageQuery } from '#src/account/api/usage-logs.ts'
import type { LoaderContext } from '../lazy-loader.ts'

export const usageLogLoader = ({ deps }: LoaderContext<UsageLogSearch>) => [
  usageLogPageQuery(formatUsageLogSearch(deps)),
]
