import { getRouteApi } from '@tanstack/react-router'
import type { UsageLogSearch } from '#contract/account/usage-log.ts'
import { type ChangeSearchFn, useSearchState } from '#src/lib/use-search-state.ts'

const route = getRouteApi('/_app/logs')

export type ChangeUsageLogSearchFn = ChangeSearchFn<UsageLogSearch>

export const useUsageLogSearch = () =>
  useSearchState<UsageLogSearch>(route.useSearch(), route.useNavigate(), { page: undefined })
