import type { ReactNode } from 'react'
import { classNames } from '#src/lib/class-names.ts'
import { ExplainButton } from './overlay/explain-button.tsx'

export type FactProps = {
  name: string
  means?: string | undefined
  strong?: boolean
  className?: string
  children: ReactNode
}

export function Fact({ name, means, strong = false, className, children }: FactProps) {
  return (
    <div className={classNames('min-w-0', className)}>
      <dt className="flex items-center text-xs text-ink-muted">
        {name}
        {means && (
          <ExplainButton subject={name} className="-my-3 touch:-my-4">
            {means}
          </ExplainButton>
        )}
      </dt>
      <dd className={strong ? 'text-md font-semibold [&_.text-xs]:font-normal' : undefined}>{children}</dd>
    </div>
  )
}
