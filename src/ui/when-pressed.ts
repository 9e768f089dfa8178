type Press = { readonly button: number; readonly pointerType: string }

/**
 * Listens to the beginning of a press, for what may begin before it is let go: a hand holds a button for 60 to 120 ms, and the click comes after that. Not to a
 * finger's, which may be about to scroll, nor to other buttons than the main one.
 */
export const whenPressed = (begin: () => void) => (press: Press) => {
  if (press.button === 0 && press.pointerType !== 'touch') begin()
}
