import { getRouteApi } from '@tanstack/react-router'
import { pickSearch } from '#src/lib/typed-search.ts'
import type { ChangeSearchFn } from '#src/lib/use-search-state.ts'
import { applyWatchSearchPatch, type WatchSearch } from './watch-search.ts'

const route = getRouteApi('/_app/watch')

export type ChangeWatchSearchFn = ChangeSearchFn<WatchSearch>

export function useWatchListPageUrlState() {
  'use memo'
  const routeSearch = route.useSearch()
  const navigate = route.useNavigate()
  const change: ChangeWatchSearchFn = (patch, mode) => {
    void navigate({
      search: (current) => applyWatchSearchPatch(pickSearch<WatchSearch>(current), patch),
      replace: mode === 'replace',
      resetScroll: false,
    })
  }
  return { search: pickSearch<WatchSearch>(routeSearch), ignored: routeSearch.ignored ?? [], change }
}
