import type { IgnoredQueryParam } from '#contract/http/query-params.ts'
import type { FlatSearchParams } from './flat-search-params.ts'

export type ChangeSearchFn<Search> = (
  change: { readonly [N in keyof Search]?: Search[N] | undefined },
  mode?: 'replace',
) => void

type Navigate = (to: {
  search: (now: FlatSearchParams) => FlatSearchParams
  replace: boolean
  resetScroll: boolean
}) => unknown

type FlatAddress<Search> = {
  readonly flat: FlatSearchParams
  readonly navigate: Navigate
  /** Like `print` and `retain`, must be a stable (module-level) function. */
  readonly read: (flat: FlatSearchParams) => { readonly search: Search; readonly ignored: readonly IgnoredQueryParam[] }
  readonly print: (search: Search) => FlatSearchParams
  readonly retain?: (search: Search) => Partial<Search>
}

export function useFlatSearchParams<Search extends object>({
  flat,
  navigate,
  read,
  print,
  retain,
}: FlatAddress<Search>) {
  'use memo'
  const { search, ignored } = read(flat)
  const change: ChangeSearchFn<Search> = (patch, mode) => {
    void navigate({
      search: (flatSearch) => {
        const previous = read(flatSearch).search
        const entries = Object.entries({ ...(retain ? retain(previous) : previous), ...patch })
        return print(Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as Search)
      },
      replace: mode === 'replace',
      resetScroll: false,
    })
  }
  return { search, ignored, change }
}
