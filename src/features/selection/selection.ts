import { MAX_PROJECTS_PER_ACTION } from '#contract/bookmark.ts'
import type { ReportRow } from '#contract/report.ts'

/** The projects chosen, in the order in which they were: id → its row, or null while only the id is known. */
export type Chosen = ReadonlyMap<string, ReportRow | null>

export const NOTHING_CHOSEN: Chosen = new Map()

/** With these rows chosen or not; past the most that one action may name nothing is added. */
export function withRows(chosen: Chosen, rows: readonly ReportRow[], selected: boolean): Chosen {
  const next = new Map(chosen)
  for (const row of rows) {
    if (!selected) next.delete(row.project_id)
    else if (next.has(row.project_id) || next.size < MAX_PROJECTS_PER_ACTION) next.set(row.project_id, row)
  }
  return next
}

/** With these ids chosen too, as far as one action reaches; rows that are known already stay. */
export function withIds(chosen: Chosen, ids: readonly string[]): Chosen {
  const next = new Map(chosen)
  for (const id of ids) if (!next.has(id) && next.size < MAX_PROJECTS_PER_ACTION) next.set(id, null)
  return next
}

/** The rows from the one with the id `from` to `to`, both included; `to` alone when `from` is not among them. */
export function rowsBetween(rows: readonly ReportRow[], from: string | undefined, to: ReportRow): readonly ReportRow[] {
  const start = rows.findIndex((row) => row.project_id === from)
  const end = rows.findIndex((row) => row.project_id === to.project_id)
  if (start < 0 || end < 0) return [to]
  return rows.slice(Math.min(start, end), Math.max(start, end) + 1)
}
