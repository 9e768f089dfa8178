import type { ReactNode } from 'react'
import { Card } from './card.tsx'
import { ExplainButton } from './overlay/explain-button.tsx'
import { TextButton } from './text-button.tsx'
import { UnknownValue } from './unknown-value.tsx'

type StatisticCardProps = {
  name: string
  means?: ReactNode
  value: string | null
  unit?: string
  title?: string | undefined
  /** Change against previous years; null if they are not comparable, undefined if no earlier figure exists. */
  change?: string | null | undefined
  onOpen?: (() => void) | undefined
  children?: ReactNode
}

export function StatisticCard({ name, means, value, unit, title, change, onOpen, children }: StatisticCardProps) {
  return (
    <Card as="article" aria-label={name} className="flex min-w-0 flex-col p-3.5 lg:p-4">
      <div className="flex items-center gap-1">
        <p className="text-sm text-ink-muted">{name}</p>
        {means !== undefined && (
          <ExplainButton subject={name} className="-my-1 touch:-my-3">
            {means}
          </ExplainButton>
        )}
      </div>
      <p className="mt-0.5 tabular-nums" title={title}>
        {value === null ? (
          <span className="text-xl">
            <UnknownValue />
          </span>
        ) : (
          <>
            <span className="text-xl font-semibold whitespace-nowrap">{value}</span>
            {unit && <span className="text-sm text-ink-muted"> {unit}</span>}
          </>
        )}
      </p>
      {children && <p className="text-xs text-ink-muted tabular-nums [overflow-wrap:anywhere]">{children}</p>}
      {(change !== undefined || onOpen) && (
        <div className="mt-auto flex flex-wrap items-center justify-between gap-x-3 pt-1 text-xs">
          <span className="text-ink-muted tabular-nums">
            {change === null ? <UnknownValue text="เทียบกับปีก่อนหน้าไม่ได้" /> : change}
          </span>
          {onOpen && (
            <TextButton onClick={onOpen} className="-mx-1 px-1 print:hidden">
              ดูโครงการ<span className="sr-only"> ของ{name}</span>
            </TextButton>
          )}
        </div>
      )}
    </Card>
  )
}
