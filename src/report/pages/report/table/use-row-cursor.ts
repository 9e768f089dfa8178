import { type FocusEvent, type KeyboardEvent, type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import type { ReportRow } from '#contract/report/report.ts'

type RowCursorOptions = {
  region: RefObject<HTMLElement | null>
  rows: readonly ReportRow[]
  /** The project on which the cursor stands; the page may remember one that is not on this page of the result. */
  current: string | undefined
  onCurrentChange: (projectId: string) => void
  /** Another one is another result, `''` while it is on its way. */
  resultKey: string
}

export type RowCursor = {
  /** Row that Tab comes to, and that stays drawn however far one scrolls. */
  readonly stop: number
  readonly focusRow: (projectId: string) => void
  readonly onFocus: (event: FocusEvent) => void
  readonly onBlur: () => void
  readonly onKeyDown: (event: KeyboardEvent<HTMLElement>) => void
}

const SETTLING_FRAMES = 3

const rowIndexOf = (target: EventTarget) => {
  const index = (target as HTMLElement).closest('tr[data-index]')?.getAttribute('data-index')
  return index == null ? undefined : Number(index)
}

/**
 * The cursor of the table: one row has the roving focus, arrows, Page Up and Down, Home and End move it. After a refresh it
 * stays on its project, or where that has gone on the one that stands in its place; with the focus, if that was there.
 */
export function useRowCursor({ region, rows, current, onCurrentChange, resultKey }: RowCursorOptions): RowCursor {
  const index = current === undefined ? -1 : rows.findIndex((row) => row.project_id === current)
  const stop = Math.max(index, 0)
  const lastIndex = useRef(0)
  const lastResult = useRef(resultKey)
  const hasFocus = useRef(false)
  /** Project whose row gets the focus as soon as it is drawn. */
  const wanted = useRef<string>(undefined)

  const giveFocus = () => {
    if (wanted.current === undefined) return
    const at = rows.findIndex((row) => row.project_id === wanted.current)
    const element = region.current?.querySelector<HTMLElement>(`tr[data-index="${at}"]`)
    if (!element) return
    wanted.current = undefined
    element.focus({ preventScroll: true })
    // Rows around it that were never drawn are measured in the next frames and may push it away again.
    let frames = SETTLING_FRAMES
    const show = () => {
      element.scrollIntoView?.({ block: 'nearest', inline: 'nearest' })
      if (frames-- > 0 && document.activeElement === element) requestAnimationFrame(show)
    }
    show()
  }
  const focusRow = (projectId: string) => {
    wanted.current = projectId
    if (projectId === current) giveFocus()
    else onCurrentChange(projectId)
  }

  useLayoutEffect(giveFocus)
  useEffect(() => {
    const isNewResult = resultKey !== '' && resultKey !== lastResult.current
    if (resultKey !== '') lastResult.current = resultKey
    if (index >= 0) lastIndex.current = index
    if (index >= 0 || current === undefined || (isNewResult && !hasFocus.current)) return
    const next = rows[isNewResult ? 0 : Math.min(lastIndex.current, rows.length - 1)]
    if (!next) return
    if (hasFocus.current) wanted.current = next.project_id
    onCurrentChange(next.project_id)
  }, [index, current, rows, resultKey, onCurrentChange])

  return {
    stop,
    focusRow,
    onFocus: ({ target }) => {
      const at = rowIndexOf(target)
      hasFocus.current = at !== undefined
      const row = at === undefined ? undefined : rows[at]
      if (row && row.project_id !== current) onCurrentChange(row.project_id)
    },
    onBlur: () => {
      hasFocus.current = false
    },
    onKeyDown: (event) => {
      const element = event.target as HTMLElement
      if (!element.matches('tr[data-index]') || event.ctrlKey || event.metaKey || event.altKey) return
      const at = rowIndexOf(element) ?? 0
      const screenful = rowsInSight(event.currentTarget, element)
      const to = {
        ArrowUp: at - 1,
        ArrowDown: at + 1,
        PageUp: at - screenful,
        PageDown: at + screenful,
        Home: 0,
        End: rows.length - 1,
      }[event.key]
      if (to === undefined) return
      event.preventDefault()
      const next = rows[Math.min(rows.length - 1, Math.max(0, to))]
      if (next && next.project_id !== rows[at]?.project_id) focusRow(next.project_id)
    },
  }
}

/** One row less than fit, so that one stays to hold on to. */
function rowsInSight(region: HTMLElement, row: HTMLElement): number {
  return Math.max(1, Math.floor(region.clientHeight / Math.max(1, row.offsetHeight)) - 2)
}
