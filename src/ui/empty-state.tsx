import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

type EmptyStateProps = {
  icon: LucideIcon
  title: string
  children?: ReactNode
  actions?: ReactNode
}

export function EmptyState({ icon: Icon, title, children, actions }: EmptyStateProps) {
  return (
    <div className="appear mx-auto flex max-w-md flex-col items-center gap-2 px-6 py-14 text-center">
      <span className="mb-2 inline-flex size-12 items-center justify-center rounded-full bg-surface-muted text-ink-faint">
        <Icon aria-hidden className="size-6" />
      </span>
      <p className="text-md font-semibold">{title}</p>
      {children && <div className="text-balance text-ink-muted">{children}</div>}
      {actions && (
        <div className="mt-3 flex max-w-full flex-wrap justify-center gap-2 *:h-auto *:min-h-9 *:max-w-full *:whitespace-normal touch:*:min-h-11">
          {actions}
        </div>
      )}
    </div>
  )
}
