import type { KeyboardEvent } from 'react'

export type KeywordTermReviewAnswer = 'yes' | 'no' | 'hide'

/** Physical key codes, because a Thai layout has other letters on these keys. */
const ANSWERS: Readonly<Record<string, KeywordTermReviewAnswer>> = { KeyY: 'yes', KeyN: 'no', KeyX: 'hide' }
const ROW_OFFSETS: Readonly<Record<string, number>> = { ArrowDown: 1, KeyJ: 1, ArrowUp: -1, KeyK: -1 }

/** Maps a key on a term row: J, K and arrows to another row, Y, N and X to an answer. Returns {} for other keys. */
export function resolveKeywordTermRowKeyPress(
  event: KeyboardEvent<HTMLLIElement>,
  rows: Element | null,
): { readonly element?: HTMLElement; readonly answer?: KeywordTermReviewAnswer; readonly isStep?: boolean } {
  if (event.ctrlKey || event.metaKey || event.altKey) return {}
  const by = ROW_OFFSETS[event.code]
  const answer = ANSWERS[event.code]
  if (by === undefined) return answer === undefined ? {} : { answer }
  const element = findSiblingKeywordTermRow(event.currentTarget, rows, by)
  return { isStep: true, ...(element ? { element } : {}) }
}

export function findSiblingKeywordTermRow(row: Element, rows: Element | null, by: number): HTMLElement | undefined {
  const siblings = [...(rows?.children ?? [])]
  const next = siblings[siblings.indexOf(row) + by]
  return next instanceof HTMLElement ? next : undefined
}
