import { ChevronLeft, ChevronRight } from 'lucide-react'
import { formatCount } from '#contract/thai/thai-number.ts'
import { Button } from './button.tsx'
import { Listbox } from './form/listbox.tsx'

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
  const lastPage = Math.max(1, Math.ceil(total / pageSize))
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
      {lastPage > 1 && (
        <nav aria-label={label} className="ml-auto flex items-center gap-1">
          <Button variant="quiet" size="sm" icon={ChevronLeft} disabled={page <= 1} onClick={() => onPage(page - 1)}>
            <span className="max-sm:sr-only">ก่อนหน้า</span>
          </Button>
          <span className="px-2 text-ink-muted tabular-nums">
            หน้า {formatCount(page)} / {formatCount(lastPage)}
          </span>
          <Button variant="quiet" size="sm" disabled={page >= lastPage} onClick={() => onPage(page + 1)}>
            <span className="max-sm:sr-only">ถัดไป</span>
            <ChevronRight aria-hidden className="size-4" />
          </Button>
        </nav>
      )}
    </div>
  )
}
