import { classNames } from '#src/lib/class-names.ts'
import { ChartLegend } from './chart-legend.tsx'
import { ChartTarget } from './chart-target.tsx'
import { type ChartColour, getChartColourClasses } from './chart-tone.ts'

type StackedBarChartRow = {
  readonly key: string
  readonly label: string
  readonly values: Readonly<Record<string, number>>
  readonly text: string
  readonly onOpen?: (() => void) | undefined
}

type StackedBarChartProps = {
  label: string
  parts: readonly { readonly key: string; readonly label: string; readonly tone: ChartColour }[]
  rows: readonly StackedBarChartRow[]
  formatValue: (value: number) => string
}

export function StackedBarChart({ label, parts, rows, formatValue }: StackedBarChartProps) {
  const totals = rows.map(({ values }) => parts.reduce((sum, { key }) => sum + Math.max(0, values[key] ?? 0), 0))
  const largest = Math.max(1, ...totals)
  return (
    <div>
      <ChartLegend
        entries={parts.map((part) => ({
          text: part.label,
          markerClasses: classNames('size-3 rounded-sm', getChartColourClasses(part.tone).background),
        }))}
        className="mb-2"
      />
      <ul aria-label={label} className="space-y-2">
        {rows.map((row) => {
          const summary = parts
            .filter(({ key }) => (row.values[key] ?? 0) > 0)
            .map((part) => `${part.label} ${formatValue(row.values[part.key]!)}`)
            .join(' · ')
          return (
            <li key={row.key}>
              <ChartTarget
                onOpen={row.onOpen}
                className="block w-full rounded-control px-2 py-1 text-left touch:py-1.5"
              >
                <span className="flex items-baseline justify-between gap-3">
                  <span className="min-w-0">{row.label}</span>
                  <span className="shrink-0 tabular-nums">{row.text}</span>
                </span>
                <span className="sr-only">{summary}</span>
                <span aria-hidden className="mt-1 flex h-3 gap-px overflow-hidden rounded-sm bg-surface-muted">
                  {parts.map((part) => (
                    <span
                      key={part.key}
                      title={`${part.label} ${formatValue(row.values[part.key] ?? 0)}`}
                      className={getChartColourClasses(part.tone).background}
                      style={{ width: `${(Math.max(0, row.values[part.key] ?? 0) / largest) * 100}%` }}
                    />
                  ))}
                </span>
              </ChartTarget>
            </li>
          )
        })}
      </ul>
    </div>
  )
}
