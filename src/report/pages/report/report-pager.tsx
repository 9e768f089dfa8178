import { ChevronLeft, ChevronRight } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { normaliseDigits } from '#contract/account/typed-text.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import type { ChangeReportSearchFn } from '#src/lib/report-change.ts'
import { Button } from '#src/ui/button.tsx'

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
    <div
      data-report-pager
      className="flex flex-wrap items-center gap-x-4 gap-y-2 md:-mx-4 md:whitespace-nowrap md:h-11 md:flex-nowrap md:border-t md:border-line md:bg-surface md:px-4 lg:-mx-5 lg:px-5 print:hidden"
    >
      {total > 0 && (
        <p className="text-ink-muted tabular-nums">
          {isPastEnd
            ? `ไม่มีหน้า ${formatCount(page)} จากทั้งหมด `
            : `${formatCount(firstRow)}–${formatCount(Math.min(page * pageSize, total))} จาก `}
          <span className="font-medium text-ink">{formatCount(total)}</span>
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
          <PageField key={page} page={page} lastPage={lastPage} onPick={go} />
          <span className="px-2 text-ink-muted tabular-nums sm:hidden">
            {isPastEnd ? `มี ${formatCount(lastPage)} หน้า` : `หน้า ${formatCount(page)} / ${formatCount(lastPage)}`}
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

function PageField({ page, lastPage, onPick }: { page: number; lastPage: number; onPick: (page: number) => void }) {
  const [typed, setTyped] = useState(String(page))
  const commit = () => {
    const to = Number(normaliseDigits(typed))
    if (Number.isInteger(to) && to >= 1 && to !== page) onPick(Math.min(to, lastPage))
    else setTyped(String(page))
  }
  return (
    <label className="inline-flex items-center gap-1.5 px-1 text-ink-muted tabular-nums max-sm:hidden">
      หน้า
      <input
        inputMode="numeric"
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onFocus={(event) => event.currentTarget.select()}
        onBlur={commit}
        onKeyDown={(event) => event.key === 'Enter' && commit()}
        className="h-8 w-12 rounded-control border border-control bg-surface text-center text-ink touch:h-11 touch:text-lg"
      />
      จาก {formatCount(lastPage)}
    </label>
  )
}
