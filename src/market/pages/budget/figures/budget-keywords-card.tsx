import { useState } from 'react'
import type { BudgetSummary } from '#contract/market/budget.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { classNames } from '#src/lib/class-names.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { DataTable } from '#src/ui/data-table.tsx'
import { SectionCard } from '#src/ui/section-card.tsx'
import { formatOrUnknown, UnknownValue } from '#src/ui/unknown-value.tsx'
import { computeRelativeChange, formatBudgetAmount, formatRelativeChange } from '../scope/budget-text.ts'
import { useBudgetUrlState } from '../scope/use-budget-url-state.ts'

const VISIBLE_WORDS = 10

export function BudgetKeywordsCard({ summary: { words, scope, last_year: last } }: { summary: BudgetSummary }) {
  const [showsAll, setShowsAll] = useState(false)
  const year = scope.fiscal_year
  const sorted = words.toSorted(
    (a, b) => (b.amount ?? 0) - (a.amount ?? 0) || b.n - a.n || a.word.localeCompare(b.word, 'th'),
  )
  const withMoney = words.filter(({ n }) => n > 0).length
  const rows = showsAll ? sorted : sorted.slice(0, VISIBLE_WORDS)
  if (words.length === 0) return null
  return (
    <SectionCard
      title={`คำไหนของเรามีเงินในปี ${year}`}
      scope={
        <>
          <b className="font-semibold text-ink">
            {formatCount(withMoney)} จาก {formatCount(words.length)} คำ
          </b>{' '}
          พบในรายการของปี {year} · รายการหนึ่งตรงได้หลายคำ จึงรวมกันไม่ได้ · กดคำเพื่อดูรายการ
        </>
      }
    >
      <DataTable
        caption="รายการและวงเงินของแต่ละคำติดตาม"
        frame="relative overflow-x-auto"
        rows={rows}
        getKey={({ word }) => word}
        columns={[
          {
            head: 'คำ',
            cell: ({ word, n }) => <WordButton word={word} n={n} />,
          },
          { head: `ปี ${year}`, isNumeric: true, cell: ({ n, amount }) => <Sum n={n} amount={amount} /> },
          {
            head: last ? `ปี ${last.fiscal_year}` : 'ปีก่อน',
            isNumeric: true,
            cell: (word) => <Sum n={word.last_year_n} amount={word.last_year_amount} />,
          },
          {
            head: 'เปลี่ยน',
            isNumeric: true,
            className: 'max-sm:hidden',
            cell: ({ n, amount, last_year_n, last_year_amount }) =>
              n > 0 && last_year_n === 0 ? (
                <Badge tone="new">ใหม่ปีนี้</Badge>
              ) : (
                formatOrUnknown(computeRelativeChange(amount, last_year_amount), formatRelativeChange)
              ),
          },
        ]}
      />
      {sorted.length > VISIBLE_WORDS && (
        <Button variant="link" size="sm" className="mt-1" onClick={() => setShowsAll(!showsAll)}>
          {showsAll ? 'แสดงน้อยลง' : `ดูครบ ${formatCount(sorted.length)} คำ`}
        </Button>
      )}
    </SectionCard>
  )
}

function WordButton({ word, n }: Pick<BudgetSummary['words'][number], 'word' | 'n'>) {
  const { search, showItems } = useBudgetUrlState()
  const { keyword__in: chosen = [] } = search
  const isChosen = chosen.includes(word)
  if (n === 0) return <span className="text-ink-muted">{word}</span>
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      onClick={() => showItems({ keyword__in: isChosen && chosen.length === 1 ? undefined : [word] })}
      className={classNames(
        'rounded-control text-left font-medium text-accent-ink hover:underline touch:min-h-11 touch:min-w-11',
        isChosen && 'underline',
      )}
    >
      {word}
    </button>
  )
}

/** Shows count and total. A null `n` means unknown, 0 means no items; an unknown total is a dash. */
function Sum({ n, amount }: { n: number | null; amount: number | null }) {
  if (n === null) return <UnknownValue />
  if (n === 0) return <span className="text-ink-muted">ไม่มี</span>
  return (
    <>
      {formatOrUnknown(amount, formatBudgetAmount)}
      <span className="block text-xs text-ink-muted">{formatCount(n)} รายการ</span>
    </>
  )
}
