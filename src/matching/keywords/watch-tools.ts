import type { Keyword, KeywordListCode, Organisation } from '#contract/account/organisation.ts'

export type WordFigures = {
  readonly hits: number
  readonly only: number
  readonly in_documents?: number | undefined
}

export type WatchTools = {
  readonly organisation: Organisation
  readonly figures: ReadonlyMap<number, WordFigures> | undefined
  readonly isLocked: boolean
}

export type WordFilter = { readonly q: string; readonly groupId: number | undefined }

/** Filtered words of a list, ordered by group (ungrouped last), then by insertion. */
export function filterWords(
  { organisation }: WatchTools,
  list: KeywordListCode,
  isShown: (keyword: Keyword) => boolean,
): Keyword[] {
  const groupIndex = new Map(organisation.keyword_groups.map(({ id }, index) => [id, index]))
  const groupPosition = ({ group_id }: Keyword) =>
    group_id === null ? Number.MAX_SAFE_INTEGER : (groupIndex.get(group_id) ?? Number.MAX_SAFE_INTEGER - 1)
  return organisation[list].filter(isShown).toSorted((a, b) => groupPosition(a) - groupPosition(b))
}
