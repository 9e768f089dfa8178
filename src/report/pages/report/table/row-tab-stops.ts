import { type RefObject, useLayoutEffect } from 'react'

const CONTROLS = 'a[href], button, input, select, [tabindex="0"]'
/** Marks what is out of the tab order for now, with the `tabindex` that it had. */
const HELD = 'data-held'

function hold(row: Element) {
  for (const control of row.querySelectorAll(CONTROLS)) {
    if (control.getAttribute('tabindex') === '-1') continue
    control.setAttribute(HELD, control.getAttribute('tabindex') ?? '')
    control.setAttribute('tabindex', '-1')
  }
}

function release(row: Element) {
  for (const control of row.querySelectorAll(`[${HELD}]`)) {
    const before = control.getAttribute(HELD)
    if (before) control.setAttribute('tabindex', before)
    else control.removeAttribute('tabindex')
    control.removeAttribute(HELD)
  }
}

/**
 * Only the row that Tab comes to has its controls in the tab order, so that Tab leaves the table after one row. Set on the
 * elements: cells come from many features, none of which need to know that they stand in such a row.
 */
export function useRowTabStops(body: RefObject<HTMLElement | null>, stop: number): void {
  useLayoutEffect(() => {
    const element = body.current
    if (!element) return
    const set = (row: Element) => {
      if (row.getAttribute('data-index') === String(stop)) release(row)
      else hold(row)
    }
    for (const row of element.children) set(row)
    // Rows are drawn as they come into sight, and a cell may get a control later. What `set` writes itself it finds done.
    const observer = new MutationObserver((changes) => {
      const rows = new Set<Element>()
      for (const { target, addedNodes } of changes) {
        const changed = target === element ? addedNodes : [target]
        for (const node of changed) {
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
