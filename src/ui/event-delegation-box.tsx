import type { ComponentProps } from 'react'

/** Handles events that bubble up from the controls inside. Neither a control nor a tab stop, so without a role. */
export function EventDelegationBox({
  as: Element = 'div',
  ...props
}: ComponentProps<'span'> & { as?: 'div' | 'span' }) {
  return <Element {...(props as object)} />
}
