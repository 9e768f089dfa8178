import { type RefObject, useLayoutEffect } from 'react'

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
export function useRowTabStops(body: RefObject<HTMLElement | null>, stop: number): void {
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
