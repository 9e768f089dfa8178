import { type FocusEvent, type KeyboardEvent, type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import type { ReportRow } from '#contract/report/report.ts'

const CONTROL_SELECTOR = 'a[href], button, input, select, [tabindex="0"]'
const SAVED_TABINDEX_ATTRIBUTE = 'data-held'

function disableTabStops(row: Element) {
  for (const control of row.querySelectorAll(CONTROL_SELECTOR)) {
    if (control.getAttribute('tabindex') === '-1') continue
    control.setAttribute(SAVED_TABINDEX_ATTRIBUTE, control.getAttribute('tabindex') ?? '')
    control.setAttribute('tabindex', '-1')
  }
}

function restoreTabStops(row: Element) {
  for (const control of row.querySelectorAll(`[${SAVED_TABINDEX_ATTRIBUTE}]`)) {
    const savedTabIndex = control.getAttribute(SAVED_TABINDEX_ATTRIBUTE)
    if (savedTabIndex) control.setAttribute('tabindex', savedTabIndex)
    else control.removeAttribute('tabindex')
    control.removeAttribute(SAVED_TABINDEX_ATTRIBUTE)
  }
}

/**
 * Makes only the controls of the row in the tab order tabbable, so that Tab leaves the table after one row. Sets this
 * in the DOM, because cells come from many features that should not depend on it.
 */
function useRowTabStops(body: RefObject<HTMLElement | null>, stop: number): void {
  useLayoutEffect(() => {
    const element = body.current
    if (!element) return
    const set = (row: Element) => {
      if (row.getAttribute('data-index') === String(stop)) restoreTabStops(row)
      else disableTabStops(row)
    }
    for (const row of element.children) set(row)
    // Rows and controls in cells are added later. `set` is idempotent, so its own mutations are no-ops.
    const observer = new MutationObserver((changes) => {
      const rows = new Set<Element>()
      for (const { target, addedNodes } of changes) {
        const changedElements = target === element ? addedNodes : [target]
        for (const node of changedElements) {
          const row = node instanceof Element && node.closest('tr')
          if (row) rows.add(row)
        }
      }
      for (const row of rows) set(row)
    })
    observer.observe(element, { subtree: true, childList: true, attributeFilter: ['tabindex', 'data-index'] })
    return () => observer.disconnect()
  }, [body, stop])
}

type RowCursorOptions = {
  body: RefObject<HTMLElement | null>
  rows: readonly ReportRow[]
  current: string | undefined
  onCurrentChange: (projectId: string) => void
  /** Key that changes with the result; `''` while the result is loading. */
  resultKey: string
}

const SETTLING_FRAMES = 3

const rowIndexOf = (target: EventTarget) => {
  const index = (target as HTMLElement).closest('tr[data-index]')?.getAttribute('data-index')
  return index == null ? undefined : Number(index)
}

/** Returns the rendered row at this index of the page; the table renders only rows near the window. */
export const findRow = (body: HTMLElement | null, index: number): HTMLElement | undefined =>
  ([...(body?.children ?? [])] as HTMLElement[]).find(({ dataset }) => dataset.index === String(index))

/** Keeps the cursor on its project after a refresh. If that is gone, moves cursor and focus to the row at its index. */
export function useRowCursor({ body, rows, current, onCurrentChange, resultKey }: RowCursorOptions) {
  const index = current === undefined ? -1 : rows.findIndex((row) => row.project_id === current)
  const stop = Math.max(index, 0)
  const lastIndex = useRef(0)
  const lastResult = useRef(resultKey)
  const hasFocus = useRef(false)
  const pendingFocusId = useRef<string>(undefined)

  const applyPendingFocus = () => {
    if (pendingFocusId.current === undefined) return
    const at = rows.findIndex((row) => row.project_id === pendingFocusId.current)
    const element = findRow(body.current, at)
    if (!element) return
    pendingFocusId.current = undefined
    element.focus({ preventScroll: true })
    // Neighbouring rows rendered for the first time are measured in the next frames and may push the row out of view.
    const show = (frames: number) => {
      element.scrollIntoView?.({ block: 'nearest', inline: 'nearest' })
      if (frames > 0 && document.activeElement === element) requestAnimationFrame(() => show(frames - 1))
    }
    show(SETTLING_FRAMES)
  }
  const focusRow = (projectId: string) => {
    pendingFocusId.current = projectId
    if (projectId === current) applyPendingFocus()
    else onCurrentChange(projectId)
  }

  useRowTabStops(body, stop)
  useLayoutEffect(applyPendingFocus)
  useEffect(() => {
    const isNewResult = resultKey !== '' && resultKey !== lastResult.current
    if (resultKey !== '') lastResult.current = resultKey
    if (index >= 0) lastIndex.current = index
    if (index >= 0 || current === undefined || (isNewResult && !hasFocus.current)) return
    const nextRow = rows[isNewResult ? 0 : Math.min(lastIndex.current, rows.length - 1)]
    if (!nextRow) return
    if (hasFocus.current) pendingFocusId.current = nextRow.project_id
    onCurrentChange(nextRow.project_id)
  }, [index, current, rows, resultKey, onCurrentChange])

  return {
    stop,
    focusRow,
    onFocus: ({ target }: FocusEvent) => {
      const at = rowIndexOf(target)
      hasFocus.current = at !== undefined
      const row = at === undefined ? undefined : rows[at]
      if (row && row.project_id !== current) onCurrentChange(row.project_id)
    },
    onBlur: () => {
      hasFocus.current = false
    },
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
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
      const nextRow = rows[Math.min(rows.length - 1, Math.max(0, to))]
      if (nextRow && nextRow.project_id !== rows[at]?.project_id) focusRow(nextRow.project_id)
    },
  }
}

/** Rows per Page Up or Down: one less than fits, so that one row remains visible as a reference. */
function rowsInSight(region: HTMLElement, row: HTMLElement): number {
  return Math.max(1, Math.floor(region.clientHeight / Math.max(1, row.offsetHeight)) - 2)
}
