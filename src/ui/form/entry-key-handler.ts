import type { KeyboardEvent } from 'react'

type EntryKeyHandlerOptions = {
  readonly onEnter?: (event: KeyboardEvent) => void
  readonly onEscape?: () => void
  /** Lets Shift+Enter add a line, in a field of several lines. */
  readonly isMultiline?: boolean
}

/**
 * Returns a key handler for a field that saves on Enter and cancels on Escape. Enter that only ends the composition of a
 * word is ignored, and Escape does not reach a surrounding dialog.
 */
export const createEntryKeyHandler =
  ({ onEnter, onEscape, isMultiline = false }: EntryKeyHandlerOptions) =>
  (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter' && onEnter && !(isMultiline && event.shiftKey)) {
      event.preventDefault()
      onEnter(event)
    }
    if (event.key === 'Escape' && onEscape) {
      event.stopPropagation()
      onEscape()
    }
  }
