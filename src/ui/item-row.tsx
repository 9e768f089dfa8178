import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

type ItemRowProps = {
  icon?: LucideIcon
  title: ReactNode
  details: ReactNode
  children?: ReactNode
}

/** List item with controls (`children`), which wrap below it where both do not fit. */
export function ItemRow({ icon: Icon, title, details, children }: ItemRowProps) {
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      {Icon && <Icon aria-hidden className="size-5 shrink-0 text-ink-faint" />}
      <div className="min-w-0 flex-1 basis-40 wrap-anywhere">
        <p className="flex flex-wrap items-center gap-2 font-medium">{title}</p>
        <div className="text-sm text-ink-muted">{details}</div>
      </div>
      {children}
    </div>
  )
}
