export type WordSelection = {
  readonly ids: ReadonlySet<number>
  /** The word chosen last: a range begins there. */
  readonly anchor: number | undefined
}
export const NOTHING_SELECTED: WordSelection = { ids: new Set(), anchor: undefined }

/** With one word more or less; with `isRange` everything between it and the word chosen last becomes as it. `order`: ids as shown. */
export function toggleWord(
  { ids, anchor }: WordSelection,
  order: readonly number[],
  id: number,
  isRange: boolean,
): WordSelection {
  const next = new Set(ids)
  const [from, to] = [anchor === undefined ? -1 : order.indexOf(anchor), order.indexOf(id)]
  const among = isRange && from >= 0 && to >= 0 ? order.slice(Math.min(from, to), Math.max(from, to) + 1) : [id]
  const isOn = isRange || !ids.has(id)
  for (const one of among) {
    if (isOn) next.add(one)
    else next.delete(one)
  }
  return { ids: next, anchor: id }
}
