import type { ComponentProps } from 'react'

type EventDelegateProps = ComponentProps<'span'> & { as?: 'div' | 'span' }

/**
 * A box that handles events bubbling up from the controls inside, such as arrow keys between items. It is neither a
 * control nor a tab stop, so it has no role; the controls have theirs.
 */
export function EventDelegate({ as = 'div', ...props }: EventDelegateProps) {
  const Tag = as as 'span'
  return <Tag {...props} />
}
