import { useCallback, useMemo } from 'react'
import type { IgnoredFlatParam } from '#contract/http/flat-params.ts'
import type { FlatSearch } from './search-text.ts'

/** A change of an address; undefined removes a parameter. `replace` adds no history entry. */
export type ChangeAddress<Search> = (
  change: { readonly [N in keyof Search]?: Search[N] | undefined },
  how?: 'replace',
) => void

type Navigate = (to: { search: (now: FlatSearch) => FlatSearch; replace: boolean; resetScroll: boolean }) => unknown

type FlatAddress<Search> = {
  readonly flat: FlatSearch
  readonly navigate: Navigate
  /** `read`, `print` and `kept` must be stable (module-level) functions. */
  readonly read: (flat: FlatSearch) => { readonly search: Search; readonly ignored: readonly IgnoredFlatParam[] }
  readonly print: (search: Search) => FlatSearch
  /** Returns the part of the search that survives a change; default: all. */
  readonly kept?: (search: Search) => Partial<Search>
}

/** Typed state that lives only in the address, and a function to change it without scrolling. */
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
