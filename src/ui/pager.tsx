import { formatCount } from '#contract/thai/thai-number.ts'
import { Listbox } from './form/listbox.tsx'
import { PageSteps } from './page-steps.tsx'

type PagerProps = {
  label: string
  page: number
  pageSize: number
  total: number
  sizes: readonly number[]
  onPage: (page: number) => void
  onSize: (size: number) => void
}

export function Pager({ label, page, pageSize, total, sizes, onPage, onSize }: PagerProps) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 print:hidden">
      <p className="text-ink-muted tabular-nums">
        {formatCount(Math.min((page - 1) * pageSize + 1, total))}–{formatCount(Math.min(page * pageSize, total))} จาก{' '}
        <span className="font-medium text-ink">{formatCount(total)}</span>
      </p>
      <div className="flex items-center gap-2 text-ink-muted">
        <span aria-hidden>แถวต่อหน้า</span>
        <Listbox<number>
          label="แถวต่อหน้า"
          value={pageSize}
          options={sizes.map((size) => ({ value: size, th: String(size) }))}
          onChange={onSize}
          className="h-8 touch:h-11"
        />
      </div>
      <PageSteps label={label} page={page} pageSize={pageSize} total={total} onPage={onPage} className="ml-auto" />
    </div>
  )
}
