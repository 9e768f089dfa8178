import { createContext, useContext } from 'react'
import type { Keyword, KeywordListCode, Organisation } from '#contract/account/organisation.ts'

export type KeywordMatchCounts = {
  readonly hits: number
  readonly only: number
  readonly in_documents?: number | undefined
}

type WatchLists = {
  readonly organisation: Organisation
  readonly figures: ReadonlyMap<number, KeywordMatchCounts> | undefined
  readonly isLocked: boolean
}

/** Provided by the page of the watch lists. */
export const WatchListsContext = createContext<WatchLists | undefined>(undefined)
export const useWatchLists = (): WatchLists => useContext(WatchListsContext)!

export type KeywordFilter = { readonly q: string; readonly groupId: number | undefined }

/** Returns the filtered words of a list, ordered by group (ungrouped last), then by insertion. */
export function filterKeywords(
  organisation: Organisation,
  list: KeywordListCode,
  isShown: (keyword: Keyword) => boolean,
): Keyword[] {
  const groupIndex = new Map(organisation.keyword_groups.map(({ id }, index) => [id, index]))
  const groupPosition = ({ group_id }: Keyword) =>
    group_id === null ? Number.MAX_SAFE_INTEGER : (groupIndex.get(group_id) ?? Number.MAX_SAFE_INTEGER - 1)
  return organisation[list].filter(isShown).toSorted((a, b) => groupPosition(a) - groupPosition(b))
}
