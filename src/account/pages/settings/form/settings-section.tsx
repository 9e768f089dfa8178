import { type ReactNode, useId } from 'react'
import { formatCount } from '#contract/thai/thai-number.ts'
import { classNames } from '#src/lib/class-names.ts'
import { Card } from '#src/ui/card.tsx'

type UsageBarProps = { label: string; used: number; limit: number; unit: string }

/** Shows how much of a limit is used. The bar is decorative; the text carries the meaning for screen readers. */
export function LimitUsageBar({ label, used, limit, unit }: UsageBarProps) {
  const share = limit > 0 ? Math.min(1, used / limit) : used > 0 ? 1 : 0
  return (
    <div>
      <p className="flex flex-wrap justify-between gap-x-3 text-sm">
        <span>{label}</span>
        <span className="text-ink-muted tabular-nums">
          {formatCount(used)} จาก {formatCount(limit)} {unit}
        </span>
      </p>
      <div aria-hidden className="mt-1 h-1.5 overflow-hidden rounded-full bg-surface-muted">
        <div
          className={classNames('h-full rounded-full', share >= 1 ? 'bg-star' : 'bg-accent')}
          style={{ width: `${share * 100}%` }}
        />
      </div>
    </div>
  )
}

type SettingsSectionProps = {
  title: string
  description?: ReactNode
  children: ReactNode
  flush?: boolean
}

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

type SettingsListProps<Row> = Pick<SettingsSectionProps, 'title' | 'description'> & {
  rows: readonly Row[]
  getKey: (row: Row) => string | number
  summary?: ReactNode
  empty?: ReactNode
  children: (row: Row) => ReactNode
}

export function SettingsList<Row>({ rows, getKey, summary, empty, children, ...section }: SettingsListProps<Row>) {
  return (
    <SettingsSection {...section} flush>
      {summary && <div className="border-b border-line px-4 py-3 sm:px-5">{summary}</div>}
      {rows.length === 0 ? (
        <p className="px-4 py-4 text-ink-muted sm:px-5">{empty}</p>
      ) : (
        <ul className="divide-y divide-line">
          {rows.map((row) => (
            <li key={getKey(row)} className="px-4 py-3 sm:px-5">
              {children(row)}
            </li>
          ))}
        </ul>
      )}
    </SettingsSection>
  )
}
