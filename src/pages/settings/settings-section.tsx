import { type ReactNode, useId } from 'react'
import { Card } from '#src/ui/card.tsx'

type SettingsSectionProps = {
  title: string
  /** What it is for, or how much of it is used. */
  description?: ReactNode
  children: ReactNode
  /** The content reaches the edges, as lists do. */
  flush?: boolean
}

/** One part of a tab, with its own heading and its own saving. */
export function SettingsSection({ title, description, children, flush = false }: SettingsSectionProps) {
  const id = useId()
  return (
    <Card as="section" aria-labelledby={id}>
      <div className="border-b border-line px-4 py-3 sm:px-5">
        <h2 id={id} className="text-md font-semibold">
          {title}
        </h2>
        {description !== undefined && <div className="text-sm text-ink-muted">{description}</div>}
      </div>
      <div className={flush ? undefined : 'px-4 py-4 sm:px-5'}>{children}</div>
    </Card>
  )
}
