import type { KeyboardEvent } from 'react'

export type RowAnswer = 'yes' | 'no' | 'hide'

/** Keys by their place on the board: a Thai layout has other letters there. */
const ANSWERS: Readonly<Record<string, RowAnswer>> = { KeyY: 'yes', KeyN: 'no', KeyX: 'hide' }
const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, KeyJ: 1, ArrowUp: -1, KeyK: -1 }

/** What a key means on a row of terms: the row to go to by J K and arrows, or the answer by Y N X. Neither: the key is not ours. */
export function rowSteps(
  event: KeyboardEvent<HTMLLIElement>,
  rows: Element | null,
): { readonly element?: HTMLElement; readonly answer?: RowAnswer; readonly isStep?: boolean } {
  if (event.ctrlKey || event.metaKey || event.altKey) return {}
  const by = STEPS[event.code]
  const answer = ANSWERS[event.code]
  if (by === undefined) return answer === undefined ? {} : { answer }
  const element = rowBeside(event.currentTarget, rows, by)
  return { isStep: true, ...(element ? { element } : {}) }
}

/** The row so many places after this one; undefined at the ends. */
export function rowBeside(row: Element, rows: Element | null, by: number): HTMLElement | undefined {
  const all = [...(rows?.children ?? [])]
  const next = all[all.indexOf(row) + by]
  return next instanceof HTMLElement ? next : undefined
}
