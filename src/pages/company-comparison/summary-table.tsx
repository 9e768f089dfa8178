import type { Comparison } from '#contract/company-comparison.ts'
import { CoverageBadge } from '#src/features/figure-scope/coverage-badge.tsx'
import { classNames } from '#src/lib/class-names.ts'
import { EmptyValue } from '#src/ui/empty-value.tsx'
import { Block } from './block.tsx'
import { CompanyAnchor } from './company-anchor.tsx'
import type { Compared } from './compared.ts'
import { FEW_BIDS_NOTE, summaryMetrics } from './summary-metrics.ts'
import { ToneDot } from './tone-dot.tsx'

type SummaryTableProps = { comparison: Comparison; companies: readonly Compared[]; className?: string }

const FIRST = 'sticky left-0 z-10 bg-surface pr-3 text-left font-normal text-ink-muted'

/** Every figure of every company, the best one bold and said to be so. */
export function SummaryTable({ comparison, companies, className }: SummaryTableProps) {
  const metrics = summaryMetrics(companies)
  // What a figure is made of stands beside it where columns are wide, else below it.
  const hasRoom = companies.length <= 3
  const isRateMissing = comparison.has_meetings && companies.some(({ bids }) => bids !== null && bids.win_rate === null)
  return (
    <Block title="สรุป" className={className}>
      <section
        aria-label="ตารางสรุป เลื่อนไปด้านข้างได้"
        tabIndex={0}
        className="relative overflow-x-auto print:overflow-visible"
      >
        <table className="w-full border-collapse">
          <caption className="sr-only">ตัวเลขของแต่ละบริษัท</caption>
          <thead>
            <tr className="border-b border-line-strong align-bottom">
              <th scope="col" className={classNames(FIRST, 'pb-1.5')}>
                <span className="sr-only">ตัวเลข</span>
              </th>
              {companies.map((company) => (
                <th key={company.id} scope="col" className="min-w-28 pb-1.5 pl-4 text-right font-medium">
                  <ToneDot tone={company.tone} />
                  <CompanyAnchor company={company}>{company.shortName}</CompanyAnchor>
                  {company.isUs && <span className="block text-xs font-normal text-accent-ink">เรา</span>}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="tabular-nums">
            {metrics.map(({ key, name, cells }) => (
              <tr key={key} className="border-b border-line">
                <th scope="row" className={classNames(FIRST, 'min-w-32 py-2')}>
                  {name}
                </th>
                {cells.map(({ text, note, isBest }, place) => (
                  <td key={companies[place]!.id} className="py-2 pl-4 text-right whitespace-nowrap">
                    {text === undefined ? (
                      <EmptyValue />
                    ) : (
                      <span className={isBest ? 'font-bold' : undefined}>{text}</span>
                    )}
                    {isBest && <span className="sr-only"> สูงสุด</span>}
                    {note !== undefined && (
                      <span className={classNames('block text-xs text-ink-faint', hasRoom && 'xl:ml-1.5 xl:inline')}>
                        {note}
                      </span>
                    )}
                  </td>
                ))}
              </tr>
            ))}
            <tr>
              <th scope="row" className={classNames(FIRST, 'py-2')}>
                ข้อมูลผู้ยื่น
              </th>
              {companies.map(({ id, coverage }) => (
                <td key={id} className="py-2 pl-4 text-right">
                  <CoverageBadge coverage={coverage} />
                </td>
              ))}
            </tr>
          </tbody>
        </table>
      </section>
      <p className="mt-2 text-xs text-ink-faint">
        ตัวหนา = สูงสุดในแถว · ส่วนลดเทียบราคากลางเฉพาะโครงการที่มีผู้ชนะรายเดียว
        {isRateMissing && ` · ${FEW_BIDS_NOTE}`}
      </p>
    </Block>
  )
}
