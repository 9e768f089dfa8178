import { ChevronLeft, ChevronRight } from 'lucide-react'
import { countText } from '#src/lib/money-text.ts'
import { Button } from '#src/ui/button.tsx'

type LedgerPagerProps = { page: number; total: number; pageSize: number; onPage: (page: number) => void }

/** To the next page and back; nothing where one page holds all. */
export function LedgerPager({ page, total, pageSize, onPage }: LedgerPagerProps) {
  const last = Math.max(1, Math.ceil(total / pageSize))
  if (last === 1) return null
  return (
    <nav aria-label="หน้าของรายการที่ถูกซ่อน" className="flex items-center justify-end gap-1">
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
