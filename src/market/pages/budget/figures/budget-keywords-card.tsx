import { useId, useState } from 'react'
import type { BudgetSummary } from '#contract/market/budget.ts'
import { classNames } from '#src/lib/class-names.ts'
import { formatCountWithSeparators } from '#src/lib/figure-text.ts'
import {
  computeRelativeChange,
  formatBudgetAmount,
  formatRelativeChange,
} from '#src/market/pages/budget/scope/budget-text.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { formatOrUnknown, UnknownValue } from '#src/ui/unknown-value.tsx'

type Word = BudgetSummary['words'][number]
type WordsCardProps = {
  summary: BudgetSummary
  chosen: readonly string[]
  onOpen: (word: string) => void
}

const VISIBLE_WORDS = 10

export function BudgetKeywordsCard({ summary: { words, scope, last_year: last }, chosen, onOpen }: WordsCardProps) {
  const headingId = useId()
  const [showsAll, setShowsAll] = useState(false)
  const year = scope.fiscal_year
  const sorted = words.toSorted(
    (a, b) => (b.amount ?? 0) - (a.amount ?? 0) || b.n - a.n || a.word.localeCompare(b.word, 'th'),
  )
  const withMoney = words.filter(({ n }) => n > 0).length
  const rows = showsAll ? sorted : sorted.slice(0, VISIBLE_WORDS)
  if (words.length === 0) return null
  return (
    <Card as="section" aria-labelledby={headingId} className="flex min-w-0 flex-col p-4 lg:p-5">
      <h2 id={headingId} className="text-lg font-semibold">
        คำไหนของเรามีเงินในปี {year}
      </h2>
      <p className="text-xs text-ink-muted">
        <b className="font-semibold text-ink">
          {formatCountWithSeparators(withMoney)} จาก {formatCountWithSeparators(words.length)} คำ
        </b>{' '}
        พบในรายการของปี {year} · รายการหนึ่งตรงได้หลายคำ จึงรวมกันไม่ได้ · กดคำเพื่อดูรายการ
      </p>
      <section aria-label="ตารางคำติดตาม" tabIndex={0} className="relative mt-3 overflow-x-auto">
        <table className="w-full border-collapse text-table">
          <caption className="sr-only">รายการและวงเงินของแต่ละคำติดตาม</caption>
          <thead className="text-xs text-ink-muted">
            <tr className="border-b border-line">
              <th scope="col" className="py-1.5 pr-2 text-left font-medium">
                คำ
              </th>
              <th scope="col" className="px-2 py-1.5 text-right font-medium">
                ปี {year}
              </th>
              <th scope="col" className="px-2 py-1.5 text-right font-medium">
                {last ? `ปี ${last.fiscal_year}` : 'ปีก่อน'}
              </th>
              <th scope="col" className="py-1.5 pl-2 text-right font-medium max-sm:hidden">
                เปลี่ยน
              </th>
            </tr>
          </thead>
          <tbody className="tabular-nums">
            {rows.map((word) => (
              <WordRow key={word.word} word={word} isChosen={chosen.includes(word.word)} onOpen={onOpen} />
            ))}
          </tbody>
        </table>
      </section>
      {sorted.length > VISIBLE_WORDS && (
        <Button variant="link" size="sm" className="mt-1 self-start" onClick={() => setShowsAll(!showsAll)}>
          {showsAll ? 'แสดงน้อยลง' : `ดูครบ ${formatCountWithSeparators(sorted.length)} คำ`}
        </Button>
      )}
    </Card>
  )
}

function WordRow({ word, isChosen, onOpen }: { word: Word; isChosen: boolean; onOpen: (word: string) => void }) {
  const { n, amount, last_year_n: lastN, last_year_amount: lastAmount } = word
  const change = computeRelativeChange(amount, lastAmount)
  const isNew = n > 0 && lastN === 0
  return (
    <tr className={classNames('border-b border-line last:border-0', n === 0 && 'text-ink-muted')}>
      <th scope="row" className="py-1.5 pr-2 text-left align-top font-normal">
        {n === 0 ? (
          word.word
        ) : (
          <button
            type="button"
            aria-pressed={isChosen}
            onClick={() => onOpen(word.word)}
            className={classNames(
              'rounded-control text-left font-medium text-accent-ink hover:underline touch:min-h-11',
              isChosen && 'underline',
            )}
          >
            {word.word}
          </button>
        )}
      </th>
      <Sum n={n} amount={amount} />
      <Sum n={lastN} amount={lastAmount} />
      <td className="py-1.5 pl-2 text-right align-top whitespace-nowrap max-sm:hidden">
        {isNew ? <Badge tone="new">ใหม่ปีนี้</Badge> : formatOrUnknown(change, formatRelativeChange)}
      </td>
    </tr>
  )
}

/** Shows count and total. A null `n` means unknown, 0 means no items; an unknown total is a dash. */
function Sum({ n, amount }: { n: number | null; amount: number | null }) {
  return (
    <td className="px-2 py-1.5 text-right align-top whitespace-nowrap">
      {n === null ? (
        <UnknownValue />
      ) : n === 0 ? (
        'ไม่มี'
      ) : (
        <>
          {formatOrUnknown(amount, formatBudgetAmount)}
          <span className="block text-xs text-ink-muted">{formatCountWithSeparators(n)} รายการ</span>
        </>
      )}
    </td>
  )
}
