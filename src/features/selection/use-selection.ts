import { useEffect, useMemo, useRef, useState } from 'react'
import { MAX_PROJECTS_PER_ACTION } from '#contract/bookmark.ts'
import type { ReportRow } from '#contract/report.ts'
import { countText } from '#src/lib/money-text.ts'
import { showToast } from '#src/ui/toast.ts'
import { type Chosen, NOTHING_CHOSEN, rowsBetween, withIds, withRows } from './selection.ts'

export type Selection = {
  readonly chosen: Chosen
  readonly ids: ReadonlySet<string>
  /** The phone's mode in which a tap selects; on once anything is selected. */
  readonly isSelecting: boolean
  readonly setSelecting: (on: boolean) => void
  /** Selects one row, or with `among` (the rows of the page) everything from the row selected last. */
  readonly select: (row: ReportRow, selected: boolean, among?: readonly ReportRow[]) => void
  readonly selectRows: (rows: readonly ReportRow[], selected: boolean) => void
  readonly selectIds: (ids: readonly string[]) => void
  readonly clear: () => void
}

/**
 * The projects selected for bulk actions. They survive paging and sorting; when `scope` (the filters and the tab, printed)
 * changes they are let go, with a notice: what is no longer in the result must not be changed unseen.
 */
export function useSelection(scope: string): Selection {
  const [chosen, setChosen] = useState(NOTHING_CHOSEN)
  const [selecting, setSelecting] = useState(false)
  const anchor = useRef<string>(undefined)

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

  return useMemo(
    () => ({
      chosen,
      ids: new Set(chosen.keys()),
      isSelecting: selecting || chosen.size > 0,
      setSelecting,
      select: (row, selected, among) => {
        const rows = among ? rowsBetween(among, anchor.current, row) : [row]
        anchor.current = row.project_id
        setChosen((now) => withRows(now, rows, selected))
      },
      selectRows: (rows, selected) => setChosen((now) => withRows(now, rows, selected)),
      selectIds: (ids) => setChosen((now) => withIds(now, ids)),
      clear: () => {
        setChosen(NOTHING_CHOSEN)
        setSelecting(false)
      },
    }),
    [chosen, selecting],
  )
}
