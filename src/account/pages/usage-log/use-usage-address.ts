import { getRouteApi } from '@tanstack/react-router'
import { printUsageSearch, type UsageSearch } from '#contract/account/usage-log.ts'
import { type ChangeAddress, useFlatAddress } from '#src/lib/use-flat-address.ts'
import { readUsageAddress } from './start-usage-log.ts'

const route = getRouteApi('/_app/logs')

export type ChangeUsage = ChangeAddress<UsageSearch>
export type UsageChange = Parameters<ChangeUsage>[0]

/** A change leads to page 1 unless it names a page. */
const withoutPage = ({ page: _page, ...kept }: UsageSearch) => kept

/** Filters and page: they live in the address and nowhere else. */
export const useUsageAddress = () =>
  useFlatAddress<UsageSearch>({
    flat: route.useSearch(),
    navigate: route.useNavigate(),
    read: readUsageAddress,
    print: printUsageSearch,
    kept: withoutPage,
  })
