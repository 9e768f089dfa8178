import type { ReactNode } from 'react'
import { classNames } from '#src/lib/class-names.ts'
import { type ChartTone, toneClasses } from './chart-tone.ts'

export type Bar = {
  readonly key: string
  readonly label: string
  /** null: unknown, drawn without a bar. */
  readonly value: number | null
  readonly text: string
  readonly note?: string | undefined
  readonly tone?: ChartTone | undefined
  readonly onOpen?: (() => void) | undefined
  readonly href?: string | undefined
  /** Rendered after the bar, outside its click target. */
  readonly aside?: ReactNode
}

type BarChartProps = {
  label: string
  rows: readonly Bar[]
  /** Value of a full bar; defaults to the largest value. */
  max?: number
}

export function BarChart({ label, rows, max }: BarChartProps) {
  const full = max ?? Math.max(...rows.map(({ value }) => Math.abs(value ?? 0)), 0)
  return (
    <ul aria-label={label} className="space-y-1">
      {rows.map((row) => (
        <li key={row.key} className={row.aside === undefined ? undefined : 'flex items-start gap-1'}>
          <BarLine row={row} share={full === 0 ? 0 : Math.abs(row.value ?? 0) / full} />
          {row.aside}
        </li>
      ))}
    </ul>
  )
}

function BarLine({ row, share }: { row: Bar; share: number }) {
  const { label, text, note, tone = 1, onOpen, href } = row
  const inside = (
    <>
      <span className="flex items-baseline justify-between gap-3">
        <span className="min-w-0">
          {label}
          {note !== undefined && <span className="block text-xs text-ink-muted">{note}</span>}
        </span>
        <span className="shrink-0 text-right tabular-nums">{text}</span>
      </span>
      <span aria-hidden className="mt-1 block h-2 overflow-hidden rounded-full bg-surface-muted">
        <span
          className={classNames('block h-full rounded-full', toneClasses(tone).background)}
          // Any nonzero value is at least 0.5 % wide, so that it stays visible.
          style={{ width: `${share === 0 ? 0 : Math.max(0.5, share * 100)}%` }}
        />
      </span>
    </>
  )
  const look = 'block w-full rounded-control px-2 py-1 text-left'
  if (href !== undefined)
    return (
      <a href={href} className={classNames(look, 'hover:bg-surface-muted')}>
        {inside}
      </a>
    )
  if (onOpen)
    return (
      <button type="button" onClick={onOpen} className={classNames(look, 'hover:bg-surface-muted')}>
        {inside}
      </button>
    )
  return <div className={look}>{inside}</div>
}
