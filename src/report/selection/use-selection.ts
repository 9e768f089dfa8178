import type { OnChangeFn, RowSelectionState } from '@tanstack/react-table'
import { useEffect, useMemo, useState } from 'react'
import { MAX_PROJECTS_PER_ACTION } from '#contract/report/bookmark.ts'
import type { ReportRow } from '#contract/report/report.ts'
import { countText } from '#src/lib/money-text.ts'
import { showToast } from '#src/ui/overlay/toast.ts'

/** Selected projects in selection order: id → row, or null while only the id is known. */
type Chosen = ReadonlyMap<string, ReportRow | null>

export const NOTHING_CHOSEN: Chosen = new Map()

export function rowSelectionOf(ids: Iterable<string>): RowSelectionState {
  return Object.fromEntries([...ids].map((id) => [id, true as const]))
}

/**
 * Merges the table's next state into the selection. `rows` of the page supply new rows. Additions above
 * `MAX_PROJECTS_PER_ACTION` are dropped.
 */
export function withRowSelection(chosen: Chosen, next: RowSelectionState, rows: readonly ReportRow[]): Chosen {
  const rowOf = new Map(rows.map((row) => [row.project_id, row]))
  const kept = [...chosen].filter(([id]) => next[id]).map(([id, row]) => [id, row ?? rowOf.get(id) ?? null] as const)
  const added = Object.keys(next).filter((id) => next[id] && !chosen.has(id))
  return new Map(
    [...kept, ...added.map((id) => [id, rowOf.get(id) ?? null] as const)].slice(0, MAX_PROJECTS_PER_ACTION),
  )
}

export type Selection = {
  readonly chosen: Chosen
  readonly ids: ReadonlySet<string>
  /** Phone mode in which a tap selects; implied by any selection. */
  readonly isSelecting: boolean
  readonly setSelecting: (on: boolean) => void
  /** The selection as table state, which handles rows, ranges and pages. */
  readonly rowSelection: RowSelectionState
  readonly onRowSelectionChange: OnChangeFn<RowSelectionState>
  readonly select: (row: ReportRow, selected: boolean) => void
  readonly selectIds: (ids: readonly string[]) => void
  readonly clear: () => void
}

/**
 * Selection for bulk actions. It survives paging and sorting; a change of `scope` (printed filters and tab) clears it
 * with a notice, so that projects no longer in the result are not changed unseen. `rows`: the displayed page.
 */
export function useSelection(scope: string, rows: readonly ReportRow[]): Selection {
  const [chosen, setChosen] = useState(NOTHING_CHOSEN)
  const [selecting, setSelecting] = useState(false)

  const [scopeOf, setScopeOf] = useState(scope)
  const [lost, setLost] = useState(0)
  if (scope !== scopeOf) {
    setScopeOf(scope)
    setLost(chosen.size)
    setChosen(NOTHING_CHOSEN)
    setSelecting(false)
  }
  useEffect(() => {
    if (lost === 0) return
    showToast({ tone: 'done', text: `เลิกเลือก ${countText(lost)} โครงการแล้ว เพราะตัวกรองเปลี่ยน` })
    setLost(0)
  }, [lost])

  useEffect(() => {
    if (chosen.size < MAX_PROJECTS_PER_ACTION) return
    const text = `เลือกครบ ${countText(MAX_PROJECTS_PER_ACTION)} โครงการแล้ว ซึ่งมากที่สุดที่ทำได้ในครั้งเดียว`
    showToast({ tone: 'done', text })
  }, [chosen.size])

  return useMemo(() => {
    // TanStack's `functionalUpdate` would add its 45 kB to phones, which render no table.
    const onRowSelectionChange: OnChangeFn<RowSelectionState> = (update) =>
      setChosen((now) => {
        const next = typeof update === 'function' ? update(rowSelectionOf(now.keys())) : update
        return withRowSelection(now, next, rows)
      })
    return {
      chosen,
      ids: new Set(chosen.keys()),
      isSelecting: selecting || chosen.size > 0,
      setSelecting,
      rowSelection: rowSelectionOf(chosen.keys()),
      onRowSelectionChange,
      select: ({ project_id: id }, selected) =>
        onRowSelectionChange(({ [id]: _was, ...others }) =>
          selected ? { ...others, ...rowSelectionOf([id]) } : others,
        ),
      selectIds: (ids) => onRowSelectionChange((now) => ({ ...now, ...rowSelectionOf(ids) })),
      clear: () => {
        setChosen(NOTHING_CHOSEN)
        setSelecting(false)
      },
    }
  }, [chosen, selecting, rows])
}
