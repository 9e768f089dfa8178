import { ChevronLeft, ChevronRight } from 'lucide-react'
import { formatCount } from '#contract/thai/thai-number.ts'
import { classNames } from '#src/lib/class-names.ts'
import { Button } from './button.tsx'

type PageStepsProps = {
  label: string
  page: number
  pageSize: number
  total: number
  onPage: (page: number) => void
  className?: string
}

/** Previous and next page of a list; renders nothing for a single page. */
export function PageSteps({ label, page, pageSize, total, onPage, className = 'justify-between' }: PageStepsProps) {
  const lastPage = Math.ceil(total / pageSize)
  if (lastPage <= 1) return null
  return (
    <nav aria-label={label} className={classNames('flex flex-wrap items-center gap-1', className)}>
      <Button
        variant="quiet"
        size="sm"
        icon={ChevronLeft}
        disabled={page <= 1}
        onClick={() => onPage(Math.min(page - 1, lastPage))}
      >
        ก่อนหน้า
      </Button>
      <span className="px-2 text-ink-muted tabular-nums">
        หน้า {formatCount(Math.min(page, lastPage))} / {formatCount(lastPage)}
      </span>
      <Button variant="quiet" size="sm" disabled={page >= lastPage} onClick={() => onPage(page + 1)}>
        ถัดไป
        <ChevronRight aria-hidden className="size-4" />
      </Button>
    </nav>
  )
}
