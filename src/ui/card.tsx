import type { ComponentProps } from 'react'
import { classNames } from '#src/lib/class-names.ts'

type CardProps = ComponentProps<'div'> & { as?: 'div' | 'section' | 'article' | 'li' }

export function Card({ as: Element = 'div', className, ...rest }: CardProps) {
  return (
    <Element {...(rest as object)} className={classNames('rounded-card border border-line bg-surface', className)} />
  )
}
