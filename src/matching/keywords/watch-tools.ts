import type { Keyword, KeywordList, Organisation } from '#contract/account/organisation.ts'

export type WordFigures = {
  readonly hits: number
  readonly only: number
  /** Hits found only through a document. */
  readonly in_documents?: number | undefined
}

export type WatchTools = {
  readonly organisation: Organisation
  /** By keyword id; undefined until loaded. */
  readonly figures: ReadonlyMap<number, WordFigures> | undefined
  /** The lists are locked at this hour. */
  readonly isLocked: boolean
}

export type WordFilter = { readonly q: string; readonly groupId: number | undefined }

/** Filtered words of a list, ordered by group (ungrouped last), then by insertion. */
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
