import { UsersRound } from 'lucide-react'
import type { ProjectDetail } from '#contract/project-detail.ts'
import { classNames } from '#src/lib/class-names.ts'
import { countText } from '#src/lib/money-text.ts'
import { Card } from '#src/ui/card.tsx'
import { BidChart } from './bid-chart.tsx'
import { baseOf, bidChart } from './bid-figures.ts'
import { BidderTable } from './bidder-table.tsx'
import { CoverageBadge, coverageText } from './coverage-badge.tsx'

type BiddersCardProps = {
  detail: Pick<ProjectDetail, 'bidders' | 'bidder_coverage'> & {
    readonly row: Pick<ProjectDetail['row'], 'budget' | 'estimate_budget' | 'is_sme' | 'movement'>
  }
  className?: string
}

const DECIDED = ['winner_announced', 'winner_amended', 'contract_created']
const isDecided = (movement: string) => DECIDED.includes(movement)

/** Who offered what, beside the reference price and the SME band, and how much of it e-GP has published (N-5, N-14). */
export function BiddersCard({ detail, className }: BiddersCardProps) {
  const { row, bidders, bidder_coverage: coverage } = detail
  const base = baseOf(row)
  const chart = bidChart(bidders, base)
  return (
    <Card as="section" aria-label="ผู้เสนอราคา" className={classNames('p-5', className)}>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2 className="text-md font-semibold">ผู้เสนอราคา</h2>
        {bidders.length > 0 && coverage !== 'winner' && (
          <span className="text-ink-muted tabular-nums">{countText(bidders.length)} ราย</span>
        )}
        <CoverageBadge coverage={coverage} />
      </div>
      {bidders.length === 0 ? (
        <div className="mt-3 flex items-start gap-3 text-ink-muted">
          <UsersRound aria-hidden className="mt-0.5 size-5 shrink-0 text-ink-faint" />
          <div>
            <p className="font-medium text-ink">{coverageText('none')}</p>
            <p>{isDecided(row.movement) ? 'บางวิธีจัดหาเผยแพร่เฉพาะผลโดยไม่มีรายชื่อ' : 'มักเผยแพร่หลังประกาศผลผู้ชนะ'}</p>
          </div>
        </div>
      ) : (
        <>
          <p className="mt-0.5 text-sm text-ink-muted">{coverageText(coverage)}</p>
          {chart && <BidChart chart={chart} bidders={bidders} isForSme={row.is_sme} />}
          <BidderTable bidders={bidders} coverage={coverage} base={base} chart={chart} />
        </>
      )}
    </Card>
  )
}
