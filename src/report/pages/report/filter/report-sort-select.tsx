import { ArrowUpDown } from 'lucide-react'
import { REPORT_COLUMNS, type ReportColumnKind } from '#contract/catalogue/report-columns.ts'
import { FIT_ORDER_LABEL, FIT_ORDERING } from '#contract/matching/fit.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { classNames } from '#src/lib/class-names.ts'
import type { ChangeReportSearchFn } from '#src/lib/report-change.ts'
import { Listbox } from '#src/ui/form/listbox.tsx'

const DIRECTION_LABELS: Partial<Record<ReportColumnKind, { readonly up: string; readonly down: string }>> = {
  day: { up: 'เร็วไปช้า', down: 'ช้าไปเร็ว' },
  stage: { up: 'ต้นบอร์ดก่อน', down: 'ท้ายบอร์ดก่อน' },
}
const NUMBER_DIRECTION_LABELS = { up: 'น้อยไปมาก', down: 'มากไปน้อย' }

const ORDERINGS = [
  { value: FIT_ORDERING, th: FIT_ORDER_LABEL },
  ...REPORT_COLUMNS.flatMap(({ sort, kind, title }) => {
    if (!sort) return []
    const { up, down } = DIRECTION_LABELS[kind] ?? NUMBER_DIRECTION_LABELS
    return [
      { value: `-${sort}`, th: `${title} ${down}` },
      { value: sort, th: `${title} ${up}` },
    ]
  }),
]

export const getDefaultReportOrderLabel = (search: Pick<ReportSearch, 'ai_deep_search__in'>): string =>
  search.ai_deep_search__in ? 'ใกล้เคียงก่อน' : 'ล่าสุดก่อน'

type SortSelectProps = { search: ReportSearch; change: ChangeReportSearchFn; className: string }

export function ReportSortSelect({ search, change, className }: SortSelectProps) {
  return (
    <div className={classNames('flex min-w-0 items-center gap-1.5 text-ink-muted', className)}>
      <ArrowUpDown aria-hidden className="size-4 shrink-0" />
      <Listbox
        label="เรียงตาม"
        variant="quiet"
        value={search.ordering ?? ''}
        options={[{ value: '', th: getDefaultReportOrderLabel(search) }, ...ORDERINGS]}
        onChange={(newOrdering) => change({ ordering: newOrdering || undefined })}
        className="h-8 max-md:max-w-32 touch:h-11"
      />
    </div>
  )
}
