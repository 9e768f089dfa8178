import type { ReactNode } from 'react'
import {
  MIN_TEAM_RESULT_SAMPLE_SIZE,
  TEAM_RESULT_TABLE_GROUPINGS,
  type TeamResultFigure,
  type TeamResultGroup,
  type TeamResultGrouping,
  type TeamResults,
} from '#contract/team/team-results.ts'
import { formatBahtCompact, formatCount, groupDigits } from '#contract/thai/thai-number.ts'
import { DoubtfulAmountsNote } from '#src/catalogue/amounts-in-doubt.tsx'
import { classNames } from '#src/lib/class-names.ts'
import { formatPercent } from '#src/lib/figure-text.ts'
import { Card } from '#src/ui/card.tsx'
import { Tabs } from '#src/ui/tabs.tsx'
import { UnknownValue } from '#src/ui/unknown-value.tsx'
import { type OpenTeamResultFigureFn, TeamResultFigureButton } from './team-result-figure-button.tsx'

const PANEL = 'results-panel'
/** Maximum rows in print; more would not fit on one sheet. */
const MAX_PRINTED_ROWS = 14

type ResultsTableProps = {
  data: TeamResults
  by: TeamResultGrouping
  onBy: (by: TeamResultGrouping) => void
  open: OpenTeamResultFigureFn
}

export function TeamResultsTable({ data, by, onBy, open }: ResultsTableProps) {
  const table = TEAM_RESULT_TABLE_GROUPINGS.find(({ code }) => code === by) ?? TEAM_RESULT_TABLE_GROUPINGS[0]!
  const { results, total } = data[table.code as 'owner']
  const isRanked = table.code !== 'month'
  const groups = isRanked ? rankTeamResultGroups(results) : results.map((group) => ({ group, rank: undefined }))
  const maxWins = Math.max(...results.map(({ won }) => won), 1)
  return (
    <Card as="section" aria-label={`สรุปผลตาม${table.th}`} className="min-w-0">
      <Tabs
        label="สรุปผลตาม"
        items={TEAM_RESULT_TABLE_GROUPINGS.map(({ code, th }) => ({
          value: code,
          label: `ตาม${th}`,
          count: data[code as 'owner'].total,
        }))}
        value={table.code}
        onChange={onBy}
        panelId={PANEL}
        className="border-b border-line px-2 print:hidden"
      />
      <h2 className="hidden px-4 py-2 font-semibold print:block">สรุปผลตาม{table.th}</h2>
      <div
        id={PANEL}
        role="tabpanel"
        aria-label={`ตาม${table.th}`}
        tabIndex={0}
        className="relative isolate overflow-x-auto focus-visible:-outline-offset-2 print:overflow-visible"
      >
        <table className="w-full min-w-[760px] text-table tabular-nums">
          <thead>
            <tr className="border-b border-line bg-surface-muted text-right text-sm text-ink-muted">
              {isRanked && (
                <th scope="col" className="w-10 py-2 pl-3 font-medium">
                  ที่
                </th>
              )}
              <th scope="col" className="px-3 py-2 text-left font-medium">
                {table.th}
              </th>
              {['เริ่มทำ', 'ยื่น', 'ชนะ', 'แพ้', 'อัตราชนะ', 'มูลค่าที่ชนะ'].map((name) => (
                <th key={name} scope="col" className="px-3 py-2 font-medium">
                  {name}
                </th>
              ))}
              {data.sees_price && (
                <th scope="col" className="px-3 py-2 font-medium">
                  ส่วนลด
                </th>
              )}
              <th scope="col" className="px-3 py-2 font-medium">
                ตัดสินใจ
              </th>
            </tr>
          </thead>
          <tbody>
            {groups.map(({ group, rank }, index) => (
              <GroupRow
                key={group.key}
                group={group}
                rank={isRanked ? (rank ?? null) : undefined}
                share={group.won / maxWins}
                isOnPaper={index < MAX_PRINTED_ROWS}
                onOpen={(figure) => open(figure, { by: table.code, key: group.key })}
              />
            ))}
          </tbody>
        </table>
      </div>
      <TableNotes by={table.code} visibleCount={results.length} total={total} isRanked={isRanked} />
    </Card>
  )
}

type TableNotesProps = { by: TeamResultGrouping; visibleCount: number; total: number; isRanked: boolean }

function TableNotes({ by, visibleCount, total, isRanked }: TableNotesProps) {
  const notes = [
    ...(isRanked ? [`จัดอันดับด้วยอัตราชนะเมื่อรู้ผลแล้วตั้งแต่ ${MIN_TEAM_RESULT_SAMPLE_SIZE} งาน ตัวเลขสีจางมาจากงานน้อยกว่านั้น`] : []),
    ...(by === 'word' ? ['งานที่ตรงหลายคำนับในทุกคำ'] : []),
    ...(total > visibleCount ? [`แสดง ${formatCount(visibleCount)} จาก ${formatCount(total)} ที่เหลืออยู่ในไฟล์ Excel`] : []),
  ]
  return (
    <div className="border-t border-line px-4 py-2 text-xs text-ink-muted">
      <p>{notes.join(' · ')}</p>
      {visibleCount > MAX_PRINTED_ROWS && (
        <p className="hidden print:block">
          พิมพ์ {MAX_PRINTED_ROWS} รายการแรกจาก {formatCount(total)}
        </p>
      )}
    </div>
  )
}

type GroupRowProps = {
  group: TeamResultGroup
  /** null if there are too few results to rank; undefined if this table has no ranks. */
  rank: number | null | undefined
  share: number
  isOnPaper: boolean
  onOpen: (figure: TeamResultFigure) => void
}

function GroupRow({ group, rank, share, isOnPaper, onOpen }: GroupRowProps) {
  const decided = group.won + group.lost
  const { discount, days_to_decide: days } = group
  const cell = (figure: TeamResultFigure, n: number, text: string | undefined, note?: ReactNode, isShare = false) => (
    <td className="px-3 py-2 text-right align-top">
      <TeamResultFigureButton
        figure={figure}
        of={group.name}
        n={n}
        onOpen={() => onOpen(figure)}
        className={isShare && n < MIN_TEAM_RESULT_SAMPLE_SIZE ? 'text-ink-faint' : ''}
      >
        {text ?? <UnknownValue />}
      </TeamResultFigureButton>
      {note && (
        <p className={classNames('text-xs', n < MIN_TEAM_RESULT_SAMPLE_SIZE ? 'text-ink-faint' : 'text-ink-muted')}>
          {note}
        </p>
      )}
    </td>
  )
  return (
    <tr className={classNames('border-b border-line last:border-0', !isOnPaper && 'print:hidden')}>
      {rank !== undefined && (
        <td className="py-2 pl-3 text-right align-top text-ink-muted">
          {rank ?? <span className="sr-only">ยังไม่จัดอันดับ</span>}
        </td>
      )}
      <th scope="row" className="px-3 py-2 text-left align-top font-normal">
        <span className="line-clamp-2">{group.name}</span>
        <span aria-hidden className="mt-1 block h-1.5 max-w-80 overflow-hidden rounded-full bg-surface-muted">
          <span
            className={classNames('block h-full rounded-full', rank === null ? 'bg-line-strong' : 'bg-chart-1')}
            style={{ width: `${share * 100}%` }}
          />
        </span>
      </th>
      {cell('pursued', group.pursued, formatCount(group.pursued))}
      {cell(
        'bid',
        group.bid,
        formatCount(group.bid),
        group.waiting > 0 ? `รอผล ${formatCount(group.waiting)}` : undefined,
      )}
      {cell('won', group.won, formatCount(group.won))}
      {cell('lost', group.lost, formatCount(group.lost))}
      {cell(
        'decided',
        decided,
        group.win_rate === null ? undefined : formatPercent(group.win_rate),
        decided > 0 ? `จาก ${formatCount(decided)}` : undefined,
        true,
      )}
      {cell(
        'valued',
        group.valued,
        group.valued === 0 ? undefined : formatBahtCompact(group.won_value),
        group.valued < group.won ? (
          <>
            รู้ {formatCount(group.valued)} จาก {formatCount(group.won)}
            <DoubtfulAmountsNote count={group.amounts_in_doubt} />
          </>
        ) : undefined,
      )}
      {discount &&
        cell(
          'discounted',
          discount.n,
          discount.median === null ? undefined : formatPercent(discount.median),
          discount.n > 0 ? `n=${formatCount(discount.n)}` : undefined,
          true,
        )}
      {cell(
        'timed',
        days.n,
        days.median === null ? undefined : `${groupDigits(days.median, 0, 1)} วัน`,
        days.n > 0 ? `n=${formatCount(days.n)}` : undefined,
        true,
      )}
    </tr>
  )
}

type RankedGroup = {
  readonly group: TeamResultGroup
  /** Rank from 1; equal win rates share a rank. Undefined with too few results. */
  readonly rank: number | undefined
}

const decidedOf = ({ won, lost }: TeamResultGroup) => won + lost

/**
 * Orders groups by win rate if they have enough results to compare. The other groups follow in their original order
 * without a rank; otherwise one win from one bid would rank first.
 */
export function rankTeamResultGroups(groups: readonly TeamResultGroup[]): RankedGroup[] {
  const isEnough = (group: TeamResultGroup) => decidedOf(group) >= MIN_TEAM_RESULT_SAMPLE_SIZE
  const best = groups
    .filter(isEnough)
    .toSorted((a, b) => b.win_rate! - a.win_rate! || decidedOf(b) - decidedOf(a) || a.name.localeCompare(b.name, 'th'))
  return [
    ...best.map((group) => ({ group, rank: best.findIndex(({ win_rate: rate }) => rate === group.win_rate) + 1 })),
    ...groups.filter((group) => !isEnough(group)).map((group) => ({ group, rank: undefined })),
  ]
}
