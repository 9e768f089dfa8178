/** Element that the year tabs switch. */
export const RESULTS_ID = 'budget-results'
/** Heading of the table: what a figure is made of is shown there, and the focus goes along. */
export const ITEMS_ID = 'budget-items'

/** Brings the table into view, with the focus on its heading. */
export function goToItems(): void {
  const heading = document.getElementById(ITEMS_ID)
  heading?.scrollIntoView?.({ block: 'start' })
  heading?.focus({ preventScroll: true })
}
