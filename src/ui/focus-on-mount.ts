/** For a field that replaces the button that opened it. Unlike `autoFocus`, it works in a dialog that is open. */
export const focusOnMount = (element: HTMLElement | null) => element?.focus()

/** Ref for a heading that replaces the focused heading of a loading state. Leaves the focus where the user has moved it. */
export function takeLostFocus(element: HTMLElement | null): void {
  if (document.activeElement === document.body) element?.focus({ preventScroll: true })
}
