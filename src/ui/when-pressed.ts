type Press = { readonly button: number; readonly pointerType: string }

/**
 * Starts work on pointer down, since the click follows 60 to 120 ms later. Ignores touch, which may become a scroll,
 * and other buttons than the main one.
 */
export const onPrimaryPress = (action: () => void) => (press: Press) => {
  if (press.button === 0 && press.pointerType !== 'touch') action()
}
