import type { OnChangeFn, RowSelectionState } from '@tanstack/react-table'
import { useState } from 'react'
import { MAX_PROJECTS_PER_ACTION } from '#contract/report/project-targets.ts'
import type { ReportRow } from '#contract/report/report.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { useOnChange } from '#src/lib/use-on-change.ts'
import { showDoneToast } from '#src/ui/overlay/outcome-toasts.ts'

/** Selected rows in selection order; a row is null while only its id is known. */
type SelectedRows = ReadonlyMap<string, ReportRow | null>

export const NO_SELECTED_ROWS: SelectedRows = new Map()

export function toRowSelectionState(ids: Iterable<string>): RowSelectionState {
  return Object.fromEntries([...ids].map((id) => [id, true as const]))
}

/** New rows come from `rows`, the displayed page. Drops additions above `MAX_PROJECTS_PER_ACTION`. */
export function mergeRowSelection(
  chosen: SelectedRows,
  nextState: RowSelectionState,
  rows: readonly ReportRow[],
): SelectedRows {
  const rowOf = new Map(rows.map((row) => [row.project_id, row]))
  const remaining = [...chosen]
    .filter(([id]) => nextState[id])
    .map(([id, row]) => [id, row ?? rowOf.get(id) ?? null] as const)
  const added = Object.keys(nextState).filter((id) => nextState[id] && !chosen.has(id))
  return new Map(
    [...remaining, ...added.map((id) => [id, rowOf.get(id) ?? null] as const)].slice(0, MAX_PROJECTS_PER_ACTION),
  )
}

export type ReportSelection = ReturnType<typeof useReportSelection>

/**
 * Selection for bulk actions. It survives paging and sorting; a change of `scope` (the filters formatted as text, and
 * the tab) clears it with a notice, so that projects no longer in the result are not changed unseen. `rows`: the
 * displayed page.
 */
export function useReportSelection(scope: string, rows: readonly ReportRow[]) {
  const [chosen, setChosen] = useState(NO_SELECTED_ROWS)
  const [selecting, setSelecting] = useState(false)

  const clear = () => {
    setChosen(NO_SELECTED_ROWS)
    setSelecting(false)
  }
  useOnChange(scope, () => {
    if (chosen.size > 0) showDoneToast(`เลิกเลือก ${formatCount(chosen.size)} โครงการแล้ว เพราะตัวกรองเปลี่ยน`)
    clear()
  })
  useOnChange(chosen.size, (count) => {
    if (count < MAX_PROJECTS_PER_ACTION) return
    showDoneToast(`เลือกครบ ${formatCount(MAX_PROJECTS_PER_ACTION)} โครงการแล้ว ซึ่งมากที่สุดที่ทำได้ในครั้งเดียว`)
  })

  // TanStack's `functionalUpdate` would add its 45 kB to phones, which render no table.
  const onRowSelectionChange: OnChangeFn<RowSelectionState> = (update) =>
    setChosen((current) => {
      const nextState = typeof update === 'function' ? update(toRowSelectionState(current.keys())) : update
      return mergeRowSelection(current, nextState, rows)
    })
  /** True while a tap on a phone selects instead of opening; always true with a nonempty selection. */
  const isSelecting = selecting || chosen.size > 0
  return {
    chosen,
    ids: new Set(chosen.keys()) as ReadonlySet<string>,
    isSelecting,
    toggleSelecting: () => (isSelecting ? clear() : setSelecting(true)),
    /** The selection in the form of TanStack Table, which implements ranges and whole pages. */
    rowSelection: toRowSelectionState(chosen.keys()),
    onRowSelectionChange,
    select: ({ project_id: id }: ReportRow, selected: boolean) =>
      onRowSelectionChange((current) => {
        const otherIds = Object.keys(current).filter((otherId) => otherId !== id)
        return toRowSelectionState(selected ? [...otherIds, id] : otherIds)
      }),
    selectIds: (ids: readonly string[]) =>
      onRowSelectionChange((current) => ({ ...current, ...toRowSelectionState(ids) })),
    clear,
  }
}
