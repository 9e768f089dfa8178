import { classNames } from '#src/lib/class-names.ts'

export const CHART_BAND_MARKER_CLASSES = 'size-3 rounded-sm border border-accent-line bg-accent-soft'

type LegendEntry = { readonly text: string; readonly markerClasses: string }

export function ChartLegend({ entries, className }: { entries: readonly LegendEntry[]; className?: string }) {
  if (entries.length === 0) return null
  return (
    <ul className={classNames('flex flex-wrap gap-x-4 gap-y-1 text-xs text-ink-muted', className)}>
      {entries.map(({ text, markerClasses }) => (
        <li key={text} className="inline-flex items-center gap-1.5">
          <span aria-hidden className={markerClasses} />
          {text}
        </li>
      ))}
    </ul>
  )
}
