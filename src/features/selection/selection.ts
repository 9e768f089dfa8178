import type { RowSelectionState } from '@tanstack/react-table'
import { MAX_PROJECTS_PER_ACTION } from '#contract/bookmark.ts'
import type { ReportRow } from '#contract/report.ts'

/** The projects chosen, in the order in which they were: id → its row, or null while only the id is known. */
export type Chosen = ReadonlyMap<string, ReportRow | null>

export const NOTHING_CHOSEN: Chosen = new Map()

/** The table's state in which these projects are chosen. */
export function rowSelectionOf(ids: Iterable<string>): RowSelectionState {
  return Object.fromEntries([...ids].map((id) => [id, true as const]))
}

/**
 * What is chosen after the table says its next state. `rows`: those of the page, which give new ids their row. Past the most that one
 * action may name nothing is added.
 */
export function withRowSelection(chosen: Chosen, next: RowSelectionState, rows: readonly ReportRow[]): Chosen {
  const rowOf = new Map(rows.map((row) => [row.project_id, row]))
  const kept = [...chosen].filter(([id]) => next[id]).map(([id, row]) => [id, row ?? rowOf.get(id) ?? null] as const)
  const added = Object.keys(next).filter((id) => next[id] && !chosen.has(id))
  return new Map(
    [...kept, ...added.map((id) => [id, rowOf.get(id) ?? null] as const)].slice(0, MAX_PROJECTS_PER_ACTION),
  )
}
