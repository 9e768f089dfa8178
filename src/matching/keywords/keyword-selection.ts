export type KeywordSelection = {
  readonly ids: ReadonlySet<number>
  readonly anchor: number | undefined
}
export const EMPTY_KEYWORD_SELECTION: KeywordSelection = { ids: new Set(), anchor: undefined }

/**
 * Toggles a word; with `isRange` applies its new state to all words back to the anchor. `order`: ids in display order.
 */
export function toggleKeywordSelection(
  { ids, anchor }: KeywordSelection,
  order: readonly number[],
  id: number,
  isRange: boolean,
): KeywordSelection {
  const next = new Set(ids)
  const [from, to] = [anchor === undefined ? -1 : order.indexOf(anchor), order.indexOf(id)]
  const among = isRange && from >= 0 && to >= 0 ? order.slice(Math.min(from, to), Math.max(from, to) + 1) : [id]
  const isOn = isRange || !ids.has(id)
  for (const wordId of among) {
    if (isOn) next.add(wordId)
    else next.delete(wordId)
  }
  return { ids: next, anchor: id }
}
