import { ChevronLeft, ChevronRight } from 'lucide-react'
import { countText } from '#src/lib/money-text.ts'
import { Button } from '#src/ui/button.tsx'

type LedgerPagerProps = {
  page: number
  total: number
  pageSize: number
  onPage: (page: number) => void
  /** Rows of this page that are rescued, or hidden again: as many of the next page have moved up into this one. */
  moved: number
  onReload: () => void
}

/** To the next page and back; nothing where one page holds all. */
export function LedgerPager({ page, total, pageSize, onPage, moved, onReload }: LedgerPagerProps) {
  const last = Math.max(1, Math.ceil(total / pageSize))
  if (last === 1) return null
  return (
    <nav aria-label="หน้าของรายการที่ถูกซ่อน" className="flex flex-wrap items-center justify-end gap-1">
      {moved > 0 && page < last && (
        <p className="mr-auto text-sm text-ink-muted">
          อีก {countText(moved)} โครงการเลื่อนขึ้นมาหน้านี้
          <Button look="link" size="sm" onClick={onReload}>
            แสดง
          </Button>
        </p>
      )}
      <Button look="quiet" size="sm" icon={ChevronLeft} disabled={page <= 1} onClick={() => onPage(page - 1)}>
        ก่อนหน้า
      </Button>
      <span className="px-2 text-ink-muted tabular-nums">
        หน้า {countText(Math.min(page, last))} / {countText(last)}
      </span>
      <Button look="quiet" size="sm" disabled={page >= last} onClick={() => onPage(page + 1)}>
        ถัดไป
        <ChevronRight aria-hidden className="size-4" />
      </Button>
    </nav>
  )
}
