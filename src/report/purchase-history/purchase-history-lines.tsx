import { Link } from '@tanstack/react-router'
import { CalendarClock, ChevronDown, Repeat } from 'lucide-react'
import { useId, useState } from 'react'
import {
  MIN_PURCHASES_FOR_SEASON,
  PURCHASE_SEASON_MONTHS,
  type PurchaseHistory,
  type PurchaseSeason,
} from '#contract/catalogue/purchase-history.ts'
import { formatThaiDateShortOrOriginal, THAI_MONTHS } from '#contract/thai/thai-date.ts'
import { formatBahtCompact, formatCount } from '#contract/thai/thai-number.ts'
import { classNames } from '#src/lib/class-names.ts'
import { joinParts } from '#src/lib/join-parts.ts'
import { Badge } from '#src/ui/badge.tsx'
import { TextButton } from '#src/ui/text-button.tsx'

const monthName = (month: number) => THAI_MONTHS[(month - 1) % 12]!.short
const windowText = (month: number) => `${monthName(month)}–${monthName(month + PURCHASE_SEASON_MONTHS - 1)}`
const yearOf = (day: string) => Number(day.slice(0, 4)) + 543

const CERTAINTY_TEXTS = {
  high: 'ค่อนข้างแน่',
  medium: 'พอเห็นแนวโน้ม',
  one_year: 'ปีเดียว ยังบอกเป็นประจำไม่ได้',
} as const

function rhythmText({ n, years, usual }: PurchaseSeason): string {
  const of = `ใน ${formatCount(years)} ปีงบ`
  if (n < MIN_PURCHASES_FOR_SEASON)
    return `ยังบอกเดือนประจำไม่ได้ (พบ ${formatCount(n)} ครั้ง ต้องมี ${MIN_PURCHASES_FOR_SEASON} ขึ้นไป)`
  if (usual === null) return `ประกาศกระจายทั้งปี ไม่มีเดือนประจำ (${formatCount(n)} ครั้ง ${of})`
  const { month, hits, certainty, next_from: from, next_to: to } = usual
  const monthText = `${windowText(month)} ${formatCount(hits)} จาก ${formatCount(n)} ครั้ง`
  if (certainty === 'one_year') return `ในข้อมูลที่มีประกาศ ${monthText} (${of}) · ${CERTAINTY_TEXTS.one_year}`
  const yearText = yearOf(from) === yearOf(to) ? String(yearOf(to)) : `${yearOf(from)}/${String(yearOf(to)).slice(-2)}`
  return `มักประกาศ ${monthText} (${of}) · ครั้งหน้าราว ${windowText(month)} ${yearText} · ${CERTAINTY_TEXTS[certainty]}`
}

function winnerText({ decided, same_winner: sameWinnerCount }: PurchaseHistory): string | undefined {
  if (decided === 0) return undefined
  if (sameWinnerCount === null) return `ก่อนหน้านี้ซื้อ ${formatCount(decided)} ครั้ง`
  return sameWinnerCount === 0
    ? `ก่อนหน้านี้ ${formatCount(decided)} ครั้ง ผู้ชนะเป็นรายอื่น`
    : `ผู้ชนะรายนี้เคยได้งานนี้ ${formatCount(sameWinnerCount)} จาก ${formatCount(decided)} ครั้งก่อน`
}

type HistoryLinesProps = {
  history: PurchaseHistory
  /** True within a list, which states once that the sample is too small, so that its items do not repeat it. */
  isListed?: boolean
  isOpenAtFirst?: boolean
}

export function summarizePurchaseHistory({ rhythm: { usual }, decided, same_winner: same }: PurchaseHistory) {
  return joinParts(
    usual && usual.certainty !== 'one_year' && `มักประกาศ ${windowText(usual.month)}`,
    same !== null && same > 0 && `รายเดิมชนะ ${formatCount(same)} จาก ${formatCount(decided)} ครั้ง`,
  )
}

export function PurchaseHistoryLines({ history, isListed = false, isOpenAtFirst = false }: HistoryLinesProps) {
  const [isOpen, setIsOpen] = useState(isOpenAtFirst)
  const list = useId()
  const winner = winnerText(history)
  const { rhythm, earlier } = history
  return (
    <div className="text-sm text-ink-muted tabular-nums">
      {(!isListed || rhythm.n >= MIN_PURCHASES_FOR_SEASON) && (
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
          <TextButton
            aria-expanded={isOpen}
            aria-controls={list}
            onClick={() => setIsOpen(!isOpen)}
            className="inline-flex items-center gap-1 print:hidden"
          >
            <ChevronDown aria-hidden className={classNames('size-4', isOpen && 'rotate-180')} />
            งานเดิมก่อนหน้านี้ {formatCount(earlier.length)} งาน
          </TextButton>
          <ul id={list} hidden={!isOpen} className="divide-y divide-line border-l-2 border-line pl-3">
            {earlier.map((purchase) => (
              <li key={purchase.project_id} className="py-1.5">
                {purchase.in_report ? (
                  <Link
                    to="/report/$id"
                    params={{ id: purchase.project_id }}
                    className="rounded-control text-accent-ink hover:underline"
                  >
                    {purchase.name}
                  </Link>
                ) : (
                  <span className="text-ink">{purchase.name}</span>
                )}
                <span className="block">
                  {joinParts(
                    purchase.first_date && formatThaiDateShortOrOriginal(purchase.first_date),
                    purchase.winner_name ?? 'ไม่รู้ผู้ชนะ',
                    purchase.winner_budget !== null && `${formatBahtCompact(purchase.winner_budget)} บาท`,
                    !purchase.in_report && 'อยู่นอกรายงาน',
                  )}{' '}
                  {purchase.is_same_winner && <Badge tone="accent">รายเดิม</Badge>}
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  )
}
