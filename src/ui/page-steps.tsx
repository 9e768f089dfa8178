import { formatCount } from '#contract/thai/thai-number.ts'
import { Button } from './button.tsx'

type PageStepsProps = {
  label: string
  page: number
  pageSize: number
  total: number
  onPage: (page: number) => void
}

/** Steps between the pages of a short list, such as one in a panel; renders nothing for a single page. */
export function PageSteps({ label, page, pageSize, total, onPage }: PageStepsProps) {
  const lastPage = Math.ceil(total / pageSize)
  if (lastPage <= 1) return null
  return (
    <nav aria-label={label} className="flex items-center justify-between gap-2">
      <Button size="sm" disabled={page <= 1} onClick={() => onPage(page - 1)}>
        ก่อนหน้า
      </Button>
      <span className="text-ink-muted tabular-nums">
        หน้า {formatCount(page)} / {formatCount(lastPage)}
      </span>
      <Button size="sm" disabled={page >= lastPage} onClick={() => onPage(page + 1)}>
        ถัดไป
      </Button>
    </nav>
  )
}
