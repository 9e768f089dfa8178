import { getRouteApi } from '@tanstack/react-router'
import { printUsageSearch, type UsageSearch } from '#contract/account/usage-log.ts'
import { type ChangeAddress, useFlatAddress } from '#src/lib/use-flat-address.ts'
import { readUsageAddress } from './start-usage-log.ts'

const route = getRouteApi('/_app/logs')

export type ChangeUsage = ChangeAddress<UsageSearch>
export type UsageChange = Parameters<ChangeUsage>[0]

const withoutPage = ({ page: _page, ...rest }: UsageSearch) => rest

export const useUsageAddress = () =>
  useFlatAddress<UsageSearch>({
    flat: route.useSearch(),
    navigate: route.useNavigate(),
    read: readUsageAddress,
    print: printUsageSearch,
    retain: withoutPage,
  })
