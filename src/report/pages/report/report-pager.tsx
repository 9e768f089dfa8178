import { ChevronLeft, ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { classNames } from '#src/lib/class-names.ts'
import { formatCountWithSeparators } from '#src/lib/figure-text.ts'
import type { ChangeReportSearchFn } from '#src/lib/report-change.ts'
import { withReactKeys } from '#src/lib/with-react-keys.ts'
import { Button } from '#src/ui/button.tsx'

export function buildPagerItems(page: number, lastPage: number): (number | 'gap')[] {
  const around = new Set([1, page - 1, page, page + 1, lastPage].filter((to) => to >= 1 && to <= lastPage))
  const pages = [...around].sort((a, b) => a - b)
  return pages.flatMap((to, index) => {
    const missing = to - (pages[index - 1] ?? 0) - 1
    // A gap that hides one page would be as wide as the page number, so show the number.
    if (missing === 1) return [to - 1, to]
    return missing > 1 ? ['gap' as const, to] : [to]
  })
}

type ReportPagerProps = {
  page: number
  pageSize: number
  total: number
  change: ChangeReportSearchFn
  children?: ReactNode
}

export function ReportPager({ page, pageSize, total, change, children }: ReportPagerProps) {
  const lastPage = Math.max(1, Math.ceil(total / pageSize))
  const firstRow = (page - 1) * pageSize + 1
  const isPastEnd = page > lastPage
  const go = (to: number) => change({ page: to === 1 ? undefined : to })
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 md:-mx-4 md:whitespace-nowrap md:h-11 md:flex-nowrap md:border-t md:border-line md:bg-surface md:px-4 lg:-mx-5 lg:px-5 print:hidden">
      {total > 0 && (
        <p className="text-ink-muted tabular-nums">
          {isPastEnd
            ? `ไม่มีหน้า ${formatCountWithSeparators(page)} จากทั้งหมด `
            : `${formatCountWithSeparators(firstRow)}–${formatCountWithSeparators(Math.min(page * pageSize, total))} จาก `}
          <span className="font-medium text-ink">{formatCountWithSeparators(total)}</span>
        </p>
      )}
      {children}
      {lastPage > 1 && (
        <nav aria-label="หน้าของรายงาน" className="ml-auto flex items-center gap-1">
          <Button
            variant="quiet"
            size="sm"
            icon={ChevronLeft}
            disabled={page <= 1}
            onClick={() => go(Math.min(page - 1, lastPage))}
          >
            <span className="max-sm:sr-only md:max-[90rem]:sr-only">ก่อนหน้า</span>
          </Button>
          {withReactKeys(buildPagerItems(page, lastPage), String).map(({ key, item: to }) =>
            to === 'gap' ? (
              <span key={key} className="px-1 text-ink-faint max-sm:hidden">
                …
              </span>
            ) : (
              <button
                key={key}
                type="button"
                aria-label={`หน้า ${to}`}
                aria-current={to === page ? 'page' : undefined}
                onClick={() => go(to)}
                className={classNames(
                  'h-8 min-w-8 rounded-control px-2 tabular-nums max-sm:hidden touch:h-11 touch:min-w-11',
                  to === page
                    ? 'bg-accent font-medium text-on-accent forced-colors:bg-[Highlight] forced-colors:text-[HighlightText] forced-colors:forced-color-adjust-none forced-colors:*:text-[HighlightText]!'
                    : 'text-ink-muted hover:bg-surface-muted',
                )}
              >
                {formatCountWithSeparators(to)}
              </button>
            ),
          )}
          <span className="px-2 text-ink-muted tabular-nums sm:hidden">
            {isPastEnd
              ? `มี ${formatCountWithSeparators(lastPage)} หน้า`
              : `หน้า ${formatCountWithSeparators(page)} / ${formatCountWithSeparators(lastPage)}`}
          </span>
          <Button variant="quiet" size="sm" disabled={page >= lastPage} onClick={() => go(page + 1)}>
            <span className="max-sm:sr-only md:max-[90rem]:sr-only">ถัดไป</span>
            <ChevronRight aria-hidden className="size-4" />
          </Button>
        </nav>
      )}
    </div>
  )
}
