import type { ReactNode } from 'react'
import { MIN_PROJECTS_TO_RANK_WINNERS, type WhoWins } from '#contract/market/who-wins.ts'
import { formatBahtCompact, formatCount, groupDigits } from '#contract/thai/thai-number.ts'
import { formatPercent } from '#src/lib/figure-text.ts'
import { Card } from '#src/ui/card.tsx'
import type { OpenWhoWinsProjectsFn } from './who-wins-text.ts'

type Figure = {
  readonly label: string
  readonly value: ReactNode
  readonly note: string
  readonly rows?: string
}

export function buildWhoWinsFigures(answer: WhoWins): Figure[] {
  const { figures } = answer
  const { discount, bidders } = figures
  return [
    {
      label: 'รู้ผลแล้ว',
      value: formatCount(answer.decided),
      note: `จาก ${formatCount(answer.projects)} โครงการ`,
      rows: 'decided',
    },
    {
      label: 'มูลค่าที่รู้',
      value: formatBahtCompact(figures.value),
      note: `บาท จาก ${formatCount(figures.n_value)} งาน`,
    },
    {
      label: 'บริษัทที่ชนะ',
      value: formatCount(figures.winners),
      note: `ใน ${formatCount(answer.won)} งาน`,
      rows: 'won',
    },
    {
      label: 'บริษัทที่ยื่นต่องาน',
      value: bidders.mean === null ? '–' : groupDigits(bidders.mean, 1),
      note: bidders.n === 0 ? 'ไม่มีงานที่รู้ผู้ยื่น' : `ราย จาก ${formatCount(bidders.n)} งาน`,
      rows: 'bidders',
    },
    {
      label: 'ลดจากราคากลาง (มัธยฐาน)',
      value: discount.median === null ? '–' : formatPercent(discount.median),
      note:
        discount.n < MIN_PROJECTS_TO_RANK_WINNERS
          ? `${formatCount(discount.n)} งาน น้อยไป`
          : `จาก ${formatCount(discount.n)} งาน`,
      rows: 'priced',
    },
    {
      label: 'ห้าอันดับแรกรวมกัน',
      value: figures.top_five_share === null ? '–' : formatPercent(figures.top_five_share),
      note: 'ของมูลค่าที่รู้',
    },
    // Terminated contracts are rare, so show them only if there are any. e-GP does not publish the reason.
    ...(figures.terminated
      ? [
          {
            label: 'สัญญาถูกยกเลิก',
            value: formatCount(figures.terminated),
            note: `จาก ${formatCount(answer.projects)} โครงการ ไม่รู้เหตุ`,
            rows: 'terminated',
          },
        ]
      : []),
  ]
}

export function WhoWinsFigures({ answer, onOpenRows }: { answer: WhoWins; onOpenRows: OpenWhoWinsProjectsFn }) {
  return (
    <Card>
      <dl className="grid grid-cols-2 md:grid-cols-3 xl:auto-cols-fr xl:grid-flow-col xl:grid-cols-none">
        {buildWhoWinsFigures(answer).map(({ label, value, note, rows }) => (
          <div key={label} className="min-w-0 px-4 py-3">
            <dt className="text-xs text-ink-muted">{label}</dt>
            <dd>
              {rows === undefined ? (
                <span className="inline-flex items-center text-lg font-semibold tabular-nums touch:min-h-11">
                  {value}
                </span>
              ) : (
                <button
                  type="button"
                  onClick={() => onOpenRows(rows)}
                  aria-label={`${label} ${String(value)} ${note} ดูโครงการ`}
                  className="rounded-control text-left text-lg font-semibold tabular-nums decoration-line-strong underline-offset-4 hover:underline touch:min-h-11 touch:min-w-11"
                >
                  {value}
                </button>
              )}
              <span className="block text-xs text-ink-muted tabular-nums">{note}</span>
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}
