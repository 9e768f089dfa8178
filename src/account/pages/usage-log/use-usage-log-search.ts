import { getRouteApi } from '@tanstack/react-router'
import { formatUsageLogSearch, parseUsageLogSearch, type UsageLogSearch } from '#contract/account/usage-log.ts'
import { memoizeLastResult } from '#src/lib/flat-search-params.ts'
import { type ChangeSearchFn, useFlatSearchParams } from '#src/lib/use-flat-search-params.ts'

const route = getRouteApi('/_app/logs')

export type ChangeUsageLogSearchFn = ChangeSearchFn<UsageLogSearch>

export const parseUsageLogPageSearch = memoizeLastResult(parseUsageLogSearch)

const withoutPage = ({ page: _page, ...rest }: UsageLogSearch) => rest

export const useUsageLogSearch = () =>
  useFlatSearchParams<UsageLogSearch>({
    flat: route.useSearch(),
    navigate: route.useNavigate(),
    read: parseUsageLogPageSearch,
    print: formatUsageLogSearch,
    retain: withoutPage,
  })
