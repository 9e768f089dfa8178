import type { ComponentProps } from 'react'
import { classNames } from '#src/lib/class-names.ts'

export function Card({
  as: Element = 'div',
  className,
  ...rest
}: ComponentProps<'div'> & { as?: 'div' | 'section' | 'article' | 'li' }) {
  return (
    <Element {...(rest as object)} className={classNames('rounded-card border border-line bg-surface', className)} />
  )
}
