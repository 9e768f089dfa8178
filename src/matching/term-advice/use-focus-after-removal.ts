import { useRef } from 'react'
import { getNamedElement } from '#src/lib/named-elements.ts'
import { useOnChange } from '#src/lib/use-on-change.ts'

/**
 * Keeps the keyboard focus in a section whose pressed button unmounts with its row: attach `section`, and call `onPress`
 * from each button. `count` is the number of rows. The page gets the focus when the section leaves with its last row.
 */
export function useFocusAfterRemoval(count: number) {
  const section = useRef<HTMLElement>(null)
  const isPressed = useRef(false)
  useOnChange(count, () => {
    if (isPressed.current && document.activeElement === document.body)
      (section.current ?? getNamedElement('main'))?.focus({ preventScroll: true })
    isPressed.current = false
  })
  const onPress = () => {
    isPressed.current = true
  }
  return { section, onPress }
}
