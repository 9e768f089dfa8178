import type { CompanyHeadToHead } from '#contract/market/company-comparison.ts'
import { formatThaiDateShortOrOriginal } from '#contract/thai/thai-date.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { classNames } from '#src/lib/class-names.ts'
import { joinParts } from '#src/lib/join-parts.ts'
import type { ComparisonBlockProps } from '#src/market/pages/company-comparison/block/comparison-block-props.ts'
import { ComparisonCompanyName } from '#src/market/pages/company-comparison/block/comparison-series-legend.tsx'
import type { ComparisonCompany } from '#src/market/pages/company-comparison/scope/comparison-company.ts'
import { formatSignedPercent } from '#src/market/pages/company-comparison/scope/comparison-text.ts'
import { DataTable } from '#src/ui/data-table.tsx'
import { SectionCard } from '#src/ui/section-card.tsx'
import {
  type CompanyHeadToHeadSide,
  compareCompanyHeadToHeadWins,
  formatHeadToHeadCell,
  getCompanyHeadToHeadSide,
} from './company-head-to-head-side.ts'

/** Shown instead of the matrix when bidders are unknown (product 5.7). */
const WINNERS_ONLY_TEXT = 'มีเฉพาะข้อมูลผู้ชนะ: เทียบงานที่ชนะได้ แต่ไม่รู้ว่าใครยื่นแข่งกับใคร'

const LEADS = {
  ahead: { text: 'นำ', look: 'bg-accent-soft text-accent-ink hover:ring-accent-line' },
  behind: { text: 'ตาม', look: 'bg-urgent-soft text-urgent hover:ring-urgent-line' },
  even: { text: 'เสมอ', look: 'bg-surface-muted text-ink hover:ring-line-strong' },
} as const

export function CompanyHeadToHeadMatrix({ comparison, companies, change }: Omit<ComparisonBlockProps, 'search'>) {
  const { meetings, has_meetings: hasMeetings, scope } = comparison
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
                cell: (row: ComparisonCompany) => (
                  <Cell
                    row={row}
                    column={column}
                    side={getCompanyHeadToHeadSide(meetings, row.index, column.index)}
                    onOpen={({ a, b }) =>
                      change({
                        rows: formatHeadToHeadCell({ result: 'met', a: companies[a]!.id, b: companies[b]!.id }),
                        page: undefined,
                      })
                    }
                  />
                ),
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

type CellProps = {
  row: ComparisonCompany
  column: ComparisonCompany
  side: CompanyHeadToHeadSide | undefined
  onOpen: (meeting: CompanyHeadToHead) => void
}

const FILLS = 'flex h-full min-h-14 w-full flex-col items-center justify-center rounded-control px-1 py-1'

function Cell({ row, column, side, onOpen }: CellProps) {
  if (row.index === column.index || !side)
    return (
      <span className={classNames(FILLS, 'bg-surface-muted text-ink-faint')}>
        <span aria-hidden>–</span>
        <span className="sr-only">{row.index === column.index ? 'บริษัทเดียวกัน' : 'ไม่มีข้อมูล'}</span>
      </span>
    )
  if (side.met === 0)
    return <span className={classNames(FILLS, 'bg-surface-muted text-xs text-ink-faint')}>ไม่เคยพบกัน</span>
  const lead = compareCompanyHeadToHeadWins(side)
  return (
    <button
      type="button"
      onClick={() => onOpen(side.meeting)}
      className={classNames(FILLS, 'relative ring-1 ring-transparent transition-shadow ring-inset', LEADS[lead].look)}
    >
      <span className="font-bold">
        <span className="sr-only">
          {row.shortName} กับ {column.shortName} ชนะ–แพ้{' '}
        </span>
        {formatCount(side.won)}–{formatCount(side.lost)}
      </span>
      {side.medianGap !== null && (
        <span className="text-xs">
          <span className="sr-only"> ส่วนต่างราคามัธยฐาน </span>
          {formatSignedPercent(side.medianGap)}
          <span className="sr-only"> (n={formatCount(side.nGap)}) </span>
        </span>
      )}
      <span className="text-xs">
        {LEADS[lead].text} · พบ {formatCount(side.met)}
        <span className="sr-only"> โครงการ {remainderText(side)}</span>
      </span>
    </button>
  )
}

function remainderText({ othersWon, undecided, lastMet }: CompanyHeadToHeadSide): string {
  return joinParts(
    `รายอื่นชนะ ${formatCount(othersWon)}`,
    undecided > 0 && `ยังไม่มีผล ${formatCount(undecided)}`,
    lastMet !== null && `พบล่าสุด ${formatThaiDateShortOrOriginal(lastMet)}`,
  )
}
