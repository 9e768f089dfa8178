/**
 * Ref for a field that replaces the button that opened it. Unlike `autoFocus`, it also works in a dialog that is already
 * open.
 */
export const focusOnMount = (element: HTMLElement | null) => element?.focus()
