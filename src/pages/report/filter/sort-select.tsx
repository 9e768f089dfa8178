import { ArrowUpDown } from 'lucide-react'
import { REPORT_COLUMNS } from '#contract/report/report-columns.ts'
import { classNames } from '#src/lib/class-names.ts'
import type { ChangeReport } from '#src/lib/report-change.ts'

const WAYS = {
  money: { up: 'น้อยไปมาก', down: 'มากไปน้อย' },
  date: { up: 'เร็วไปช้า', down: 'ช้าไปเร็ว' },
} as const

/** Every order that the server knows, both ways, as `ordering` values. */
const ORDERINGS = REPORT_COLUMNS.flatMap((column) => {
  if (!('sort' in column)) return []
  const ways = WAYS[column.kind]
  return [
    { value: `-${column.sort}`, th: `${column.title} ${ways.down}` },
    { value: column.sort, th: `${column.title} ${ways.up}` },
  ]
})

type SortSelectProps = {
  ordering: string | undefined
  /** The report's own order, which needs no choosing. */
  own: string
  change: ChangeReport
  className?: string
}

/** The order of the report, also for columns that are hidden or out of sight. */
export function SortSelect({ ordering, own, change, className }: SortSelectProps) {
  return (
    <label className={classNames('flex min-w-0 items-center gap-1.5 text-ink-muted', className)}>
      <ArrowUpDown aria-hidden className="size-4 shrink-0" />
      <span className="sr-only">เรียงตาม</span>
      <select
        value={ordering ?? ''}
        onChange={(event) => change({ ordering: event.currentTarget.value || undefined })}
        className="h-8 min-w-0 cursor-pointer rounded-control bg-transparent pr-1 field-sizing-content max-md:max-w-32 max-md:truncate text-ink hover:bg-surface-muted touch:h-11"
      >
        <option value="">{own}</option>
        {ORDERINGS.map(({ value, th }) => (
          <option key={value} value={value}>
            {th}
          </option>
        ))}
      </select>
    </label>
  )
}
