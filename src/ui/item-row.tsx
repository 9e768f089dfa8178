import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

type ItemRowProps = {
  icon?: LucideIcon
  /** The name of the item, and its badges. */
  title: ReactNode
  /** Lines below the title. */
  details: ReactNode
  /** The controls of the item. */
  children?: ReactNode
}

/** An item of a list with its controls, which move below it where both do not fit. */
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
