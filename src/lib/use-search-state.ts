import { pickSearch, type RouteSearch, type SearchPatch } from './typed-search.ts'

export type ChangeSearchFn<Search> = (patch: SearchPatch<Search>, mode?: 'push' | 'replace') => void

type ChangedSearch<Search> = SearchPatch<Search> | SearchPatch<RouteSearch<Search>>

type Navigate<Search> = (to: {
  search: (current: RouteSearch<Search>) => ChangedSearch<Search>
  replace: boolean
  resetScroll: boolean
}) => unknown

type ApplyPatchFn<Search> = (current: RouteSearch<Search>, patch: SearchPatch<Search>) => ChangedSearch<Search>

const applyPatch = <Search extends object>(current: RouteSearch<Search>, patch: SearchPatch<Search>) => ({
  ...pickSearch<Search>(current),
  ...patch,
})

/** Makes every other change of a paged list lead to its first page. */
export const applyPatchOfPagedList = <Search extends { readonly page?: number }>(
  current: RouteSearch<Search>,
  patch: SearchPatch<Search>,
) => ({ ...pickSearch<Search>(current), page: undefined, ...patch })

/** State of a page in its URL. A change drops ignored parameters, unless `apply` keeps them. */
export function useSearchState<Search extends object>(
  routeSearch: RouteSearch<Search>,
  navigate: Navigate<Search>,
  apply: ApplyPatchFn<Search> = applyPatch,
) {
  'use memo'
  const change: ChangeSearchFn<Search> = (patch, mode) => {
    void navigate({
      search: (current) => apply(current, patch),
      replace: mode === 'replace',
      resetScroll: false,
    })
  }
  return { search: pickSearch<Search>(routeSearch), ignored: routeSearch.ignored ?? [], change }
}
