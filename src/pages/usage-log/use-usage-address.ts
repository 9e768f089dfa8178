import { getRouteApi } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import type { IgnoredFlatParam } from '#contract/http/flat-params.ts'
import { printUsageSearch, type UsageSearch } from '#contract/user/usage-log.ts'
import { readUsageAddress } from './start-usage-log.ts'

const route = getRouteApi('/_app/logs')

/** A change of the filters; undefined removes one. Page 1 unless it names a page. */
export type UsageChange = { readonly [N in keyof UsageSearch]?: UsageSearch[N] | undefined }
export type ChangeUsage = (change: UsageChange) => void

/** Filters and page: they live in the address and nowhere else. */
export function useUsageAddress(): {
  readonly search: UsageSearch
  readonly ignored: readonly IgnoredFlatParam[]
  readonly change: ChangeUsage
} {
  const flat = route.useSearch()
  const navigate = route.useNavigate()
  const { search, ignored } = useMemo(() => readUsageAddress(flat), [flat])
  const change = useCallback<ChangeUsage>(
    (patch) => {
      void navigate({
        search: (now) => {
          const { page: _page, ...kept } = readUsageAddress(now).search
          const next = Object.entries({ ...kept, ...patch }).filter(([, value]) => value !== undefined)
          return printUsageSearch(Object.fromEntries(next))
        },
        resetScroll: false,
      })
    },
    [navigate],
  )
  return { search, ignored, change }
}
