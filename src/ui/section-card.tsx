import { type ReactNode, useId } from 'react'
import { classNames } from '#src/lib/class-names.ts'
import { Card } from './card.tsx'

type SectionCardProps = {
  title: string
  scope?: ReactNode
  actions?: ReactNode
  className?: string | undefined
  children: ReactNode
}

export function SectionCard({ title, scope, actions, className, children }: SectionCardProps) {
  const headingId = useId()
  return (
    <Card as="section" aria-labelledby={headingId} className={classNames('min-w-0 p-4 lg:p-5', className)}>
      <div className="flex flex-wrap items-start justify-between gap-x-3 gap-y-1">
        <div className="min-w-0 flex-1 basis-40">
          <h2 id={headingId} className="text-lg font-semibold">
            {title}
          </h2>
          {scope && <div className="text-xs text-ink-muted tabular-nums">{scope}</div>}
        </div>
        {actions && <div className="flex items-center gap-1 print:hidden">{actions}</div>}
      </div>
      <div className="mt-3">{children}</div>
    </Card>
  )
}
