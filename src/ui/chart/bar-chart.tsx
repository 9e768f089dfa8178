import type { ReactNode } from 'react'
import { classNames } from '#src/lib/class-names.ts'
import { ChartTarget } from './chart-target.tsx'
import { type ChartColour, getChartColourClasses } from './chart-tone.ts'

export type ChartBar = {
  readonly key: string
  readonly label: string
  readonly value: number | null
  readonly text: string
  readonly note?: string | undefined
  readonly tone?: ChartColour | undefined
  readonly onOpen?: (() => void) | undefined
  readonly href?: string | undefined
  readonly aside?: ReactNode
}

export function BarChart({ label, rows, max }: { label: string; rows: readonly ChartBar[]; max?: number }) {
  const full = max ?? Math.max(...rows.map(({ value }) => Math.abs(value ?? 0)), 0)
  return (
    <ul aria-label={label} className="space-y-1">
      {rows.map((row) => (
        <li key={row.key} className={row.aside === undefined ? undefined : 'flex items-start gap-1'}>
          <BarLine row={row} fraction={full === 0 ? 0 : Math.abs(row.value ?? 0) / full} />
          {row.aside}
        </li>
      ))}
    </ul>
  )
}

function BarLine({ row, fraction }: { row: ChartBar; fraction: number }) {
  const { label, text, note, tone = 1, onOpen, href } = row
  return (
    <ChartTarget onOpen={onOpen} href={href} className="block w-full rounded-control px-2 py-1 text-left touch:py-1.5">
      <span className="flex items-baseline justify-between gap-3">
        <span className="min-w-0">
          {label}
          {note !== undefined && <span className="block text-xs text-ink-muted">{note}</span>}
        </span>
        <span className="shrink-0 text-right tabular-nums">{text}</span>
      </span>
      <span aria-hidden className="mt-1 block h-2 overflow-hidden rounded-full bg-surface-muted">
        <span
          className={classNames('block h-full rounded-full', getChartColourClasses(tone).background)}
          style={{ width: `${fraction === 0 ? 0 : Math.max(0.5, fraction * 100)}%` }}
        />
      </span>
    </ChartTarget>
  )
}
