import { type RefObject, useLayoutEffect } from 'react'

const CONTROLS = 'a[href], button, input, select, [tabindex="0"]'
/** Marks controls removed from the tab order, storing their original `tabindex`. */
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
 * Only the row in the tab order has tabbable controls, so that Tab leaves the table after one row. Set on the DOM,
 * because cells come from many features that should not depend on this.
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
    // Rows render while scrolling, and cells may add controls later. `set` is idempotent, so its own mutations are
    // no-ops.
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
