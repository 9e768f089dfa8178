import type { ComponentProps } from 'react'

/**
 * A box that handles events bubbling up from the controls inside, such as arrow keys between items. It is neither a
 * control nor a tab stop, so it has no role; the controls have theirs.
 */
export function EventDelegationBox({
  as: Element = 'div',
  ...props
}: ComponentProps<'span'> & { as?: 'div' | 'span' }) {
  return <Element {...(props as object)} />
}
