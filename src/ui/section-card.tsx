import { type ReactNode, useId } from 'react'
import { classNames } from '#src/lib/class-names.ts'
import { Card } from './card.tsx'

type SectionCardProps = { title: string; scope?: ReactNode; className?: string; children: ReactNode }

/** Section of a page in a card: a heading, what its figures count, and the content. */
export function SectionCard({ title, scope, className, children }: SectionCardProps) {
  const heading = useId()
  return (
    <Card as="section" aria-labelledby={heading} className={classNames('min-w-0 p-4 lg:p-5', className)}>
      <h2 id={heading} className="text-lg font-semibold">
        {title}
      </h2>
      {scope && <div className="text-xs text-ink-muted tabular-nums">{scope}</div>}
      {children}
    </Card>
  )
}
