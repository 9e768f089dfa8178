import { getRouteApi } from '@tanstack/react-router'
import { formatUsageLogSearch, parseUsageLogSearch, type UsageLogSearch } from '#contract/account/usage-log.ts'
import { memoizeLast } from '#src/lib/search-text.ts'
import { type ChangeSearch, useFlatSearch } from '#src/lib/use-flat-address.ts'

const route = getRouteApi('/_app/logs')

export type ChangeUsageSearch = ChangeSearch<UsageLogSearch>
export type UsageSearchChange = Parameters<ChangeUsageSearch>[0]

export const readUsageSearch = memoizeLast(parseUsageLogSearch)

const withoutPage = ({ page: _page, ...rest }: UsageLogSearch) => rest

export const useUsageSearch = () =>
  useFlatSearch<UsageLogSearch>({
    flat: route.useSearch(),
    navigate: route.useNavigate(),
    read: readUsageSearch,
    print: formatUsageLogSearch,
    retain: withoutPage,
  })
