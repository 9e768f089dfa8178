import { pickSearch, type RouteSearch, type SearchPatch } from './typed-search.ts'

export type ChangeSearchFn<Search> = (patch: SearchPatch<Search>, mode?: 'push' | 'replace') => void

type Navigate<Search> = (to: {
  search: (current: RouteSearch<Search>) => SearchPatch<Search>
  replace: boolean
  resetScroll: boolean
}) => unknown

/** A change drops ignored parameters and applies `reset` unless it sets the same names. */
export function useSearchState<Search extends object>(
  routeSearch: RouteSearch<Search>,
  navigate: Navigate<Search>,
  reset?: SearchPatch<Search>,
) {
  'use memo'
  const change: ChangeSearchFn<Search> = (patch, mode) => {
    void navigate({
      search: (current) => ({ ...pickSearch<Search>(current), ...reset, ...patch }),
      replace: mode === 'replace',
      resetScroll: false,
    })
  }
  return { search: pickSearch<Search>(routeSearch), ignored: routeSearch.ignored ?? [], change }
}
