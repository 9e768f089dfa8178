import type { Keyword, KeywordList, Organisation } from '#contract/account/organisation.ts'

/** What a word did in the last 30 days. */
export type WordFigures = {
  readonly hits: number
  readonly only: number
  /** Of the hits, those by a document alone. */
  readonly in_documents?: number | undefined
}

/** What every part of the watch lists is given. */
export type WatchTools = {
  readonly organisation: Organisation
  /** By keyword id; undefined while it is not known. */
  readonly figures: ReadonlyMap<number, WordFigures> | undefined
  /** The lists are closed at this hour. */
  readonly isLocked: boolean
}

/** Words that the search and the chosen group leave. */
export type WordFilter = { readonly q: string; readonly groupId: number | undefined }

/** Words of a list in the order of their groups, those without one last; within a group as they were added. */
export function shownWords(
  { organisation }: WatchTools,
  list: KeywordList,
  isShown: (keyword: Keyword) => boolean,
): Keyword[] {
  const place = new Map(organisation.keyword_groups.map(({ id }, index) => [id, index]))
  const placeOf = ({ group_id }: Keyword) =>
    group_id === null ? Number.MAX_SAFE_INTEGER : (place.get(group_id) ?? Number.MAX_SAFE_INTEGER - 1)
  return organisation[list].filter(isShown).toSorted((one, other) => placeOf(one) - placeOf(other))
}
