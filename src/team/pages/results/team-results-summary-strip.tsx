import type { ReactNode } from 'react'
import {
  MIN_TEAM_RESULT_SAMPLE_SIZE,
  type TeamResultFigure,
  type TeamResultFigures,
} from '#contract/team/team-results.ts'
import { formatBahtCompact, groupDigits } from '#contract/thai/thai-number.ts'
import { DoubtfulAmountsNote } from '#src/catalogue/amounts-in-doubt.tsx'
import { classNames } from '#src/lib/class-names.ts'
import { formatCountWithSeparators, formatPercent } from '#src/lib/figure-text.ts'
import { formatOrUnknown, UnknownValue } from '#src/ui/unknown-value.tsx'
import { type OpenTeamResultFigureFn, TeamResultFigureButton } from './team-result-figure-button.tsx'

const OF_ALL = 'ทั้งหมด'

export function TeamResultsSummaryStrip({ total, open }: { total: TeamResultFigures; open: OpenTeamResultFigureFn }) {
  const decided = total.won + total.lost
  const { discount, days_to_decide: days } = total
  const figure = (name: TeamResultFigure, n: number, children: ReactNode) => (
    <TeamResultFigureButton
      figure={name}
      of={OF_ALL}
      n={n}
      onOpen={() => open(name)}
      className={classNames(
        'text-xl font-semibold',
        n < MIN_TEAM_RESULT_SAMPLE_SIZE && isShare(name) && 'text-ink-faint',
      )}
    >
      {children}
    </TeamResultFigureButton>
  )
  return (
    <dl className="grid grid-cols-2 rounded-card border border-line bg-surface py-3 sm:grid-cols-4 xl:grid-cols-8 print:grid-cols-8!">
      <Cell
        name="เริ่มทำ"
        note={`ยังไม่ยื่น ${formatCountWithSeparators(total.open)} · ไม่ยื่น ${formatCountWithSeparators(total.declined)}`}
      >
        {figure('pursued', total.pursued, formatCountWithSeparators(total.pursued))}
      </Cell>
      <Cell name="ยื่น" note={`รอผล ${formatCountWithSeparators(total.waiting)}`}>
        {figure('bid', total.bid, formatCountWithSeparators(total.bid))}
      </Cell>
      <Cell name="ชนะ">{figure('won', total.won, formatCountWithSeparators(total.won))}</Cell>
      <Cell name="แพ้">{figure('lost', total.lost, formatCountWithSeparators(total.lost))}</Cell>
      <Cell name="อัตราชนะ" note={`จาก ${formatCountWithSeparators(decided)} งานที่รู้ผล${smallText(decided)}`}>
        {figure('decided', decided, formatOrUnknown(total.win_rate, formatPercent))}
      </Cell>
      <Cell
        name="มูลค่าที่ชนะ"
        note={
          <>
            ตาม e-GP {formatCountWithSeparators(total.valued)} จาก {formatCountWithSeparators(total.won)} งาน
            <DoubtfulAmountsNote count={total.amounts_in_doubt} />
          </>
        }
      >
        {figure('valued', total.valued, total.valued === 0 ? <UnknownValue /> : formatBahtCompact(total.won_value))}
      </Cell>
      {discount && (
        <Cell name="ส่วนลดของเรา (มัธยฐาน)" note={`n = ${formatCountWithSeparators(discount.n)}${smallText(discount.n)}`}>
          {figure('discounted', discount.n, formatOrUnknown(discount.median, formatPercent))}
        </Cell>
      )}
      <Cell name="ประกาศถึงตัดสินใจ" note={`n = ${formatCountWithSeparators(days.n)}${smallText(days.n)}`}>
        {figure('timed', days.n, days.median === null ? <UnknownValue /> : `${groupDigits(days.median, 0, 1)} วัน`)}
      </Cell>
    </dl>
  )
}

const isShare = (figure: TeamResultFigure) => ['decided', 'discounted', 'timed'].includes(figure)

const smallText = (n: number) => (n > 0 && n < MIN_TEAM_RESULT_SAMPLE_SIZE ? ' · น้อยเกินจะสรุป' : '')

function Cell({ name, note, children }: { name: string; note?: ReactNode; children: ReactNode }) {
  return (
    <div className="min-w-0 border-line px-4 py-1 not-first:sm:border-l">
      <dt className="text-sm text-ink-muted">{name}</dt>
      <dd>
        <div className="leading-snug">{children}</div>
        {note && <p className="text-xs text-ink-muted tabular-nums">{note}</p>}
      </dd>
    </div>
  )
}
