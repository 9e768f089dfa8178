import type { OnChangeFn, RowSelectionState } from '@tanstack/react-table'
import { useEffect, useMemo, useState } from 'react'
import { MAX_PROJECTS_PER_ACTION } from '#contract/report/bookmark.ts'
import type { ReportRow } from '#contract/report/report.ts'
import { countText } from '#src/lib/money-text.ts'
import { showToast } from '#src/ui/overlay/toast.ts'

/** The projects chosen, in the order in which they were: id → its row, or null while only the id is known. */
type Chosen = ReadonlyMap<string, ReportRow | null>

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

export type Selection = {
  readonly chosen: Chosen
  readonly ids: ReadonlySet<string>
  /** The phone's mode in which a tap selects; on once anything is selected. */
  readonly isSelecting: boolean
  readonly setSelecting: (on: boolean) => void
  /** The same as the state of the table, which changes it by rows, by ranges and by pages. */
  readonly rowSelection: RowSelectionState
  readonly onRowSelectionChange: OnChangeFn<RowSelectionState>
  /** One project, where there is no table. */
  readonly select: (row: ReportRow, selected: boolean) => void
  readonly selectIds: (ids: readonly string[]) => void
  readonly clear: () => void
}

/**
 * The projects selected for bulk actions. They survive paging and sorting; when `scope` (the filters and the tab, printed)
 * changes they are let go, with a notice: what is no longer in the result must not be changed unseen. `rows`: those of the page shown.
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
    // The table's own `functionalUpdate` would bring its 45 kB to phones, which draw no table.
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
