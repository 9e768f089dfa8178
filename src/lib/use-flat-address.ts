import { useCallback, useMemo } from 'react'
import type { IgnoredFlatParam } from '#contract/http/flat-params.ts'
import type { FlatSearch } from './search-text.ts'

/** A change of an address; undefined removes a part. `replace`: no step of its own for Back. */
export type ChangeAddress<Search> = (
  change: { readonly [N in keyof Search]?: Search[N] | undefined },
  how?: 'replace',
) => void

type Navigate = (to: { search: (now: FlatSearch) => FlatSearch; replace: boolean; resetScroll: boolean }) => unknown

type FlatAddress<Search> = {
  readonly flat: FlatSearch
  readonly navigate: Navigate
  /** `read`, `print` and `kept` are functions of a module: the same in every drawing. */
  readonly read: (flat: FlatSearch) => { readonly search: Search; readonly ignored: readonly IgnoredFlatParam[] }
  readonly print: (search: Search) => FlatSearch
  /** What of the search before a change stands after it; all of it unless given. */
  readonly kept?: (search: Search) => Partial<Search>
}

/** What a screen keeps in its address and nowhere else, and a way to change it that leaves the scroll where it is. */
export function useFlatAddress<Search extends object>({ flat, navigate, read, print, kept }: FlatAddress<Search>) {
  const { search, ignored } = useMemo(() => read(flat), [read, flat])
  const change = useCallback<ChangeAddress<Search>>(
    (patch, how) => {
      void navigate({
        search: (now) => {
          const before = read(now).search
          const next = Object.entries({ ...(kept ? kept(before) : before), ...patch })
          return print(Object.fromEntries(next.filter(([, value]) => value !== undefined)) as Search)
        },
        replace: how === 'replace',
        resetScroll: false,
      })
    },
    [navigate, read, print, kept],
  )
  return { search, ignored, change }
}
