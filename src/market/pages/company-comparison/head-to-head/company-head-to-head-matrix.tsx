import type { CompanyHeadToHead } from '#contract/market/company-comparison.ts'
import { formatThaiDateShortOrOriginal } from '#contract/thai/thai-date.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { classNames } from '#src/lib/class-names.ts'
import { joinParts } from '#src/lib/join-parts.ts'
import type { ComparisonBlockProps } from '#src/market/pages/company-comparison/block/comparison-block-props.ts'
import { ComparisonCompanyName } from '#src/market/pages/company-comparison/block/comparison-series-legend.tsx'
import type { ComparisonCompany } from '#src/market/pages/company-comparison/scope/comparison-company.ts'
import { formatSignedPercent } from '#src/market/pages/company-comparison/scope/comparison-text.ts'
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
          <section
            aria-label="ตารางพบกัน เลื่อนไปด้านข้างได้"
            tabIndex={0}
            className="relative -mx-1 -mt-1 overflow-x-auto p-1 print:overflow-visible"
          >
            <table className="w-full border-separate border-spacing-1.5">
              <caption className="sr-only">ชนะ–แพ้ของบริษัทในแถวต่อบริษัทในคอลัมน์ และส่วนต่างราคามัธยฐาน</caption>
              <thead>
                <tr>
                  <th scope="col">
                    <span className="sr-only">บริษัท</span>
                  </th>
                  {companies.map(({ id, letter, name }) => (
                    <th key={id} scope="col" title={name} className="text-sm font-normal text-ink-muted">
                      {letter}
                      <span className="sr-only"> {name}</span>
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {companies.map((row) => (
                  <tr key={row.id}>
                    <th
                      scope="row"
                      className="sticky left-0 z-10 max-w-36 min-w-24 bg-surface pr-2 text-left font-normal"
                    >
                      <ComparisonCompanyName company={row} className="text-sm" />
                    </th>
                    {companies.map((column) => (
                      <td key={column.id} className="h-16 min-w-20 p-0 text-center tabular-nums">
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
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
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
