import type { ReactNode } from 'react'
import {
  MIN_TEAM_RESULT_SAMPLE_SIZE,
  TEAM_RESULT_TABLE_GROUPINGS,
  type TeamResultFigure,
  type TeamResultGroup,
  type TeamResults,
} from '#contract/team/team-results.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { DoubtfulAmountsNote } from '#src/catalogue/doubtful-amounts-note.tsx'
import { classNames } from '#src/lib/class-names.ts'
import { joinParts } from '#src/lib/join-parts.ts'
import { Card } from '#src/ui/card.tsx'
import { DataTable } from '#src/ui/data-table.tsx'
import { Tabs } from '#src/ui/tabs.tsx'
import { isUncertainFigure, listTeamResultFigures, TeamResultFigureButton } from './team-result-figure-button.tsx'
import { useTeamResultsUrlState } from './use-team-results-url-state.ts'

const PANEL = 'results-panel'
export const TEAM_RESULT_COLUMN_NAMES = {
  pursued: 'เริ่มทำ',
  bid: 'ยื่น',
  won: 'ชนะ',
  lost: 'แพ้',
  decided: 'อัตราชนะ',
  valued: 'มูลค่าที่ชนะ',
  discounted: 'ส่วนลด',
  timed: 'ตัดสินใจ',
}
const COLUMNS = Object.entries(TEAM_RESULT_COLUMN_NAMES) as [keyof typeof TEAM_RESULT_COLUMN_NAMES, string][]
/** Maximum rows in print; more would not fit on one sheet. */
const MAX_PRINTED_ROWS = 14

export function TeamResultsTable({ data }: { data: TeamResults }) {
  const { search, change, openFigure } = useTeamResultsUrlState()
  const table = TEAM_RESULT_TABLE_GROUPINGS.find(({ code }) => code === search.by) ?? TEAM_RESULT_TABLE_GROUPINGS[0]!
  const { results, total } = data[table.code as 'owner']
  const isRanked = table.code !== 'month'
  const groups: readonly RankedGroup[] = isRanked
    ? rankTeamResultGroups(results)
    : results.map((group) => ({ group, rank: undefined }))
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
        onChange={(by) => change({ by: by === 'owner' ? undefined : by }, 'replace')}
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
        <DataTable
          caption={`สรุปผลตาม${table.th}`}
          className="min-w-[760px]"
          rows={groups}
          getKey={({ group }) => group.key}
          getRowClassName={(_, index) => (index < MAX_PRINTED_ROWS ? '' : 'print:hidden')}
          nameColumn={isRanked ? 1 : 0}
          columns={[
            ...(isRanked ? [{ head: 'ที่', isNumeric: true, className: 'w-10', cell: renderRank }] : []),
            { head: table.th, cell: (row) => <GroupName {...row} isRanked={isRanked} maxWins={maxWins} /> },
            ...COLUMNS.filter(([figure]) => figure !== 'discounted' || data.sees_price).map(([figure, head]) => ({
              head,
              isNumeric: true,
              cell: ({ group }: RankedGroup) => (
                <GroupFigure
                  figure={figure}
                  group={group}
                  onOpen={() => openFigure(figure, { by: table.code, key: group.key })}
                />
              ),
            })),
          ]}
        />
      </div>
      <div className="border-t border-line px-4 py-2 text-xs text-ink-muted">
        <p>
          {joinParts(
            isRanked && `จัดอันดับด้วยอัตราชนะเมื่อรู้ผลแล้วตั้งแต่ ${MIN_TEAM_RESULT_SAMPLE_SIZE} งาน ตัวเลขสีจางมาจากงานน้อยกว่านั้น`,
            table.code === 'word' && 'งานที่ตรงหลายคำนับในทุกคำ',
            total > results.length &&
              `แสดง ${formatCount(results.length)} จาก ${formatCount(total)} ที่เหลืออยู่ในไฟล์ Excel`,
          )}
        </p>
        {results.length > MAX_PRINTED_ROWS && (
          <p className="hidden print:block">
            พิมพ์ {MAX_PRINTED_ROWS} รายการแรกจาก {formatCount(total)}
          </p>
        )}
      </div>
    </Card>
  )
}

const renderRank = ({ rank }: RankedGroup) => (
  <span className="text-ink-muted">{rank ?? <span className="sr-only">ยังไม่จัดอันดับ</span>}</span>
)

function GroupName({ group, rank, isRanked, maxWins }: RankedGroup & { isRanked: boolean; maxWins: number }) {
  return (
    <>
      <span className="line-clamp-2">{group.name}</span>
      <span aria-hidden className="mt-1 block h-1.5 max-w-80 overflow-hidden rounded-full bg-surface-muted">
        <span
          className={classNames(
            'block h-full rounded-full',
            isRanked && rank === undefined ? 'bg-line-strong' : 'bg-chart-1',
          )}
          style={{ width: `${(group.won / maxWins) * 100}%` }}
        />
      </span>
    </>
  )
}

type GroupFigureProps = { figure: TeamResultFigure; group: TeamResultGroup; onOpen: () => void }

function GroupFigure({ figure, group, onOpen }: GroupFigureProps) {
  const { won, waiting, valued, discount, days_to_decide: days } = group
  const { n = 0, text } = listTeamResultFigures(group).find((item) => item.figure === figure) ?? {}
  const decided = decidedOf(group)
  const notes: Readonly<Partial<Record<TeamResultFigure, ReactNode>>> = {
    bid: waiting > 0 && `รอผล ${formatCount(waiting)}`,
    decided: decided > 0 && `จาก ${formatCount(decided)}`,
    valued: valued < won && (
      <>
        รู้ {formatCount(valued)} จาก {formatCount(won)}
        <DoubtfulAmountsNote count={group.amounts_in_doubt} />
      </>
    ),
    discounted: discount && discount.n > 0 && `n=${formatCount(discount.n)}`,
    timed: days.n > 0 && `n=${formatCount(days.n)}`,
  }
  return (
    <>
      <TeamResultFigureButton
        figure={figure}
        of={group.name}
        n={n}
        onOpen={onOpen}
        className={isUncertainFigure(figure, n) ? 'text-ink-faint' : ''}
      >
        {text}
      </TeamResultFigureButton>
      {notes[figure] && (
        <p className={classNames('text-xs', n < MIN_TEAM_RESULT_SAMPLE_SIZE ? 'text-ink-faint' : 'text-ink-muted')}>
          {notes[figure]}
        </p>
      )}
    </>
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
