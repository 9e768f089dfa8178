import { formatThaiDateShortOrOriginal } from '#contract/thai/thai-date.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { classNames } from '#src/lib/class-names.ts'
import { joinParts } from '#src/lib/join-parts.ts'
import { DataTable } from '#src/ui/data-table.tsx'
import { SectionCard } from '#src/ui/section-card.tsx'
import { ComparisonCompanyName } from '../block/compared-company-name.tsx'
import type { ComparisonBlockProps, ComparisonCompany } from '../scope/comparison-company.ts'
import { useComparisonUrlState } from '../scope/use-comparison-url-state.ts'
import { findCompanyHeadToHead, formatGap, formatHeadToHeadCell } from './company-head-to-head-side.ts'

/** Shown instead of the matrix when bidders are unknown (product 5.7). */
const WINNERS_ONLY_TEXT = 'มีเฉพาะข้อมูลผู้ชนะ: เทียบงานที่ชนะได้ แต่ไม่รู้ว่าใครยื่นแข่งกับใคร'

const AHEAD = { text: 'นำ', look: 'bg-accent-soft text-accent-ink hover:ring-accent-line' }
const BEHIND = { text: 'ตาม', look: 'bg-urgent-soft text-urgent hover:ring-urgent-line' }
const EVEN = { text: 'เสมอ', look: 'bg-surface-muted text-ink hover:ring-line-strong' }

export function CompanyHeadToHeadMatrix({ comparison, companies }: ComparisonBlockProps) {
  const { has_meetings: hasMeetings, meetings, scope } = comparison
  const knownCount = scope.coverage.full + scope.coverage.names
  return (
    <SectionCard title="พบกันตรง ๆ">
      {hasMeetings ? (
        <>
          <DataTable
            caption="ชนะ–แพ้ของบริษัทในแถวต่อบริษัทในคอลัมน์ และส่วนต่างราคามัธยฐาน"
            frame="relative overflow-x-auto print:overflow-visible"
            rows={companies}
            getKey={({ id }) => id}
            columns={[
              {
                head: 'บริษัท',
                isHeadHidden: true,
                className: 'sticky left-0 z-10 max-w-36 min-w-24 bg-surface',
                cell: (row) => <ComparisonCompanyName company={row} className="text-sm" />,
              },
              ...companies.map((column) => ({
                head: column.letter,
                headContent: (
                  <>
                    {column.letter}
                    <span className="sr-only"> {column.name}</span>
                  </>
                ),
                title: column.name,
                className: 'min-w-20 p-1! text-center! tabular-nums',
                cell: (row: ComparisonCompany) => <Cell row={row} column={column} meetings={meetings} />,
              })),
            ]}
          />
          <p className="mt-2 text-xs text-ink-faint">
            ชนะ–แพ้เมื่อยื่นในโครงการเดียวกัน และส่วนต่างราคามัธยฐาน (+ = ถูกกว่า) · ทราบรายชื่อผู้ยื่น {formatCount(knownCount)} จาก{' '}
            {formatCount(scope.n)} โครงการ
          </p>
        </>
      ) : (
        <p className="rounded-control bg-surface-muted px-3 py-2 text-ink-muted">{WINNERS_ONLY_TEXT}</p>
      )}
    </SectionCard>
  )
}

type CellProps = Pick<ComparisonBlockProps['comparison'], 'meetings'> & {
  row: ComparisonCompany
  column: ComparisonCompany
}

const FILLS = 'flex h-full min-h-14 w-full flex-col items-center justify-center rounded-control px-1 py-1'

function Cell({ row, column, meetings }: CellProps) {
  const { change } = useComparisonUrlState()
  const meeting = findCompanyHeadToHead(meetings, row.index, column.index)
  if (!meeting)
    return (
      <span className={classNames(FILLS, 'bg-surface-muted text-ink-faint')}>
        <span aria-hidden>–</span>
        <span className="sr-only">{row === column ? 'บริษัทเดียวกัน' : 'ไม่มีข้อมูล'}</span>
      </span>
    )
  const { met, a_won: won, b_won: lost, median_gap: gap, last_met_date: lastMet } = meeting
  if (met === 0) return <span className={classNames(FILLS, 'bg-surface-muted text-xs text-ink-faint')}>ไม่เคยพบกัน</span>
  const lead = won > lost ? AHEAD : won < lost ? BEHIND : EVEN
  const open = () => {
    const [a, b] = row.index < column.index ? [row, column] : [column, row]
    change({ rows: formatHeadToHeadCell({ result: 'met', a: a.id, b: b.id }), page: undefined })
  }
  return (
    <button
      type="button"
      onClick={open}
      className={classNames(FILLS, 'relative ring-1 ring-transparent transition-shadow ring-inset', lead.look)}
    >
      <span className="font-bold">
        <span className="sr-only">
          {row.shortName} กับ {column.shortName} ชนะ–แพ้{' '}
        </span>
        {formatCount(won)}–{formatCount(lost)}
      </span>
      {gap !== null && (
        <span className="text-xs">
          <span className="sr-only"> ส่วนต่างราคามัธยฐาน </span>
          {formatGap(gap)}
          <span className="sr-only"> (n={formatCount(meeting.n_gap)}) </span>
        </span>
      )}
      <span className="text-xs">
        {lead.text} · พบ {formatCount(met)}
        <span className="sr-only">
          {' '}
          โครงการ{' '}
          {joinParts(
            `รายอื่นชนะ ${formatCount(meeting.others_won)}`,
            meeting.undecided > 0 && `ยังไม่มีผล ${formatCount(meeting.undecided)}`,
            lastMet !== null && `พบล่าสุด ${formatThaiDateShortOrOriginal(lastMet)}`,
          )}
        </span>
      </span>
    </button>
  )
}
