import { Link } from '@tanstack/react-router'
import { CalendarClock, ChevronDown, Repeat } from 'lucide-react'
import { useId, useState } from 'react'
import {
  FEWEST_PURCHASES,
  type PurchaseHistory,
  type Rhythm,
  WINDOW_MONTHS,
} from '#contract/catalogue/purchase-history.ts'
import { THAI_MONTHS, thaiDay } from '#contract/thai/thai-date.ts'
import { formatBahtCompact } from '#contract/thai/thai-number.ts'
import { classNames } from '#src/lib/class-names.ts'
import { countText } from '#src/lib/money-text.ts'
import { Badge } from '#src/ui/badge.tsx'

const monthName = (month: number) => THAI_MONTHS[(month - 1) % 12]!.short
const windowText = (month: number) => `${monthName(month)}–${monthName(month + WINDOW_MONTHS - 1)}`
const yearOf = (day: string) => Number(day.slice(0, 4)) + 543

const CERTAINTY_TEXTS = {
  high: 'ค่อนข้างแน่',
  medium: 'พอเห็นแนวโน้ม',
  one_year: 'ปีเดียว ยังบอกเป็นประจำไม่ได้',
} as const

function rhythmText({ n, years, usual }: Rhythm): string {
  const of = `n = ${countText(n)} ใน ${countText(years)} ปีงบ`
  if (n < FEWEST_PURCHASES) return `ยังบอกเดือนประจำไม่ได้ (n = ${countText(n)} ต้องมี ${FEWEST_PURCHASES} ขึ้นไป)`
  if (usual === null) return `ประกาศกระจายทั้งปี ไม่มีเดือนประจำ (${of})`
  const { month, hits, certainty, next_from: from, next_to: to } = usual
  const found = `${windowText(month)} ${countText(hits)} จาก ${countText(n)} ครั้ง`
  if (certainty === 'one_year') return `ในข้อมูลที่มีประกาศ ${found} (${of}) · ${CERTAINTY_TEXTS.one_year}`
  const when = yearOf(from) === yearOf(to) ? String(yearOf(to)) : `${yearOf(from)}/${String(yearOf(to)).slice(-2)}`
  return `มักประกาศ ${found} (${of}) · ครั้งหน้าราว ${windowText(month)} ${when} · ${CERTAINTY_TEXTS[certainty]}`
}

/** Returns the winner's record in earlier purchases; undefined without known ones. */
function winnerText({ decided, same_winner: same }: PurchaseHistory): string | undefined {
  if (decided === 0) return undefined
  if (same === null) return `ก่อนหน้านี้ซื้อ ${countText(decided)} ครั้ง`
  return same === 0
    ? `ก่อนหน้านี้ ${countText(decided)} ครั้ง ผู้ชนะเป็นรายอื่น`
    : `ผู้ชนะรายนี้เคยได้งานนี้ ${countText(same)} จาก ${countText(decided)} ครั้งก่อน`
}

type HistoryLinesProps = {
  history: PurchaseHistory
  /** True in a list, which states a too small sample once instead of per item. */
  isListed?: boolean
}

export function HistoryLines({ history, isListed = false }: HistoryLinesProps) {
  const [isOpen, setIsOpen] = useState(false)
  const list = useId()
  const winner = winnerText(history)
  const { rhythm, earlier } = history
  return (
    <div className="text-sm text-ink-muted tabular-nums">
      {(!isListed || rhythm.n >= FEWEST_PURCHASES) && (
        <p className="flex gap-1.5">
          <CalendarClock
            aria-hidden
            className={classNames('mt-0.5 size-4 shrink-0', rhythm.usual ? 'text-accent-ink' : 'text-ink-faint')}
          />
          <span className={rhythm.usual ? 'text-ink' : undefined}>{rhythmText(rhythm)}</span>
        </p>
      )}
      {winner !== undefined && (
        <p className="flex gap-1.5">
          <Repeat aria-hidden className="mt-0.5 size-4 shrink-0 text-ink-faint" />
          {winner}
        </p>
      )}
      {earlier.length > 0 && (
        <>
          <button
            type="button"
            aria-expanded={isOpen}
            aria-controls={list}
            onClick={() => setIsOpen(!isOpen)}
            className="inline-flex min-h-6 items-center gap-1 rounded-control text-accent-ink hover:underline touch:min-h-11 print:hidden"
          >
            <ChevronDown aria-hidden className={classNames('size-4', isOpen && 'rotate-180')} />
            งานเดิมก่อนหน้านี้ {countText(earlier.length)} งาน
          </button>
          <ul id={list} hidden={!isOpen} className="divide-y divide-line border-l-2 border-line pl-3">
            {earlier.map((one) => (
              <li key={one.project_id} className="py-1.5">
                {one.in_report ? (
                  <Link
                    to="/report/$id"
                    params={{ id: one.project_id }}
                    className="rounded-control text-accent-ink hover:underline"
                  >
                    {one.name}
                  </Link>
                ) : (
                  <span className="text-ink">{one.name}</span>
                )}
                <span className="block">
                  {[
                    one.first_date && thaiDay(one.first_date),
                    one.winner_name ?? 'ไม่รู้ผู้ชนะ',
                    one.winner_budget !== null && `${formatBahtCompact(one.winner_budget)} บาท`,
                    !one.in_report && 'อยู่นอกรายงาน',
                  ]
                    .filter(Boolean)
                    .join(' · ')}{' '}
                  {one.is_same_winner && <Badge tone="accent">รายเดิม</Badge>}
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  )
}
