import { type ReactNode, useId } from 'react'
import { classNames } from '#src/lib/class-names.ts'
import { Card } from '#src/ui/card.tsx'

type BlockProps = {
  title: string
  scope?: ReactNode
  actions?: ReactNode
  className?: string | undefined
  children: ReactNode
}

export function ComparisonBlock({ title, scope, actions, className, children }: BlockProps) {
  const heading = useId()
  return (
    <Card as="section" aria-labelledby={heading} className={classNames('min-w-0 p-4 lg:p-5', className)}>
      <div className="mb-3 flex flex-wrap items-start justify-between gap-x-3 gap-y-1">
        <div className="min-w-0">
          <h2 id={heading} className="text-lg font-semibold">
            {title}
          </h2>
          {scope !== undefined && <div className="text-xs text-ink-muted">{scope}</div>}
        </div>
        {actions !== undefined && <div className="flex flex-wrap items-center gap-2 print:hidden">{actions}</div>}
      </div>
      {children}
    </Card>
  )
}
