import type { Bidder, ProjectDetail } from '#contract/report/project-detail.ts'
import { formatBaht } from '#contract/thai/thai-number.ts'
import { formatPercent } from '#src/lib/figure-text.ts'
import { truncateName } from '#src/lib/truncate-name.ts'
import { Badge } from '#src/ui/badge.tsx'
import { formatOrUnknown, UnknownValue } from '#src/ui/unknown-value.tsx'
import { useCollapsedList } from '#src/ui/use-collapsed-list.tsx'
import { type BidChart, type BidComparisonBase, computePriceRanks, isBidInSmePreferenceBand } from './bid-figures.ts'

type BidderTableProps = {
  bidders: readonly Bidder[]
  coverage: ProjectDetail['bidder_coverage']
  base: BidComparisonBase | undefined
  chart: BidChart | undefined
}

const HEAD = 'px-3 py-2 font-medium whitespace-nowrap'
const CELL = 'px-3 py-2 align-top'

export function BidderTable({ bidders, coverage, base, chart }: BidderTableProps) {
  const ranks = computePriceRanks(bidders)
  const isDecided = bidders.some(({ is_winner }) => is_winner)
  const priceHead = coverage === 'winner' ? 'ราคาที่ชนะ' : 'ราคาที่เสนอ'
  const shareHead = base === undefined || base.against === 'reference' ? '% ของราคากลาง' : '% ของงบประมาณ'
  const { visibleItems: visibleBidders, moreButton } = useCollapsedList(bidders, 'ราย')
  const facts = visibleBidders.map((bidder, index) => ({
    bidder,
    key: `${bidder.tax_id} ${bidder.name} ${index}`,
    rank: coverage === 'winner' ? undefined : ranks[index],
    share: base && bidder.price !== null ? bidder.price / base.baht : undefined,
    isInBand: chart !== undefined && isBidInSmePreferenceBand(chart, bidder),
  }))
  return (
    <>
      <div
        role="group"
        aria-label="ตารางผู้เสนอราคา เลื่อนไปด้านข้างได้"
        tabIndex={0}
        className="mt-3 hidden overflow-x-auto md:block"
      >
        <table className="w-full text-table">
          <caption className="sr-only">ผู้เสนอราคาและราคา</caption>
          <thead className="border-b border-line text-left text-xs text-ink-muted">
            <tr>
              <th className={HEAD}>ผู้เสนอราคา</th>
              <th className={`${HEAD} text-right`}>{priceHead} (บาท)</th>
              <th className={`${HEAD} text-right`}>{shareHead}</th>
              <th className={`${HEAD} text-right`}>ลำดับราคา</th>
              <th className={HEAD}>ผล</th>
              <th className={HEAD}>SME</th>
            </tr>
          </thead>
          <tbody>
            {facts.map(({ bidder, key, rank, share, isInBand }) => (
              <tr key={key} className="border-b border-line last:border-0">
                <th scope="row" className={`${CELL} min-w-48 text-left font-normal`}>
                  <span className={bidder.is_winner ? 'font-semibold' : undefined}>{truncateName(bidder.name)}</span>
                  {bidder.tax_id && <span className="block text-xs text-ink-faint tabular-nums">{bidder.tax_id}</span>}
                </th>
                <td className={`${CELL} text-right tabular-nums`}>{formatOrUnknown(bidder.price, formatBaht)}</td>
                <td className={`${CELL} text-right tabular-nums`}>{formatOrUnknown(share, formatPercent)}</td>
                <td className={`${CELL} text-right tabular-nums`}>{rank ?? <UnknownValue />}</td>
                <td className={CELL}>
                  <BidResult bidder={bidder} isDecided={isDecided} />
                </td>
                <td className={CELL}>
                  <SmeBadge bidder={bidder} isInBand={isInBand} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <ul className="mt-3 divide-y divide-line border-t border-line md:hidden">
        {facts.map(({ bidder, key, rank, share, isInBand }) => (
          <li key={key} className="py-2.5">
            <p className={bidder.is_winner ? 'font-semibold' : undefined}>{truncateName(bidder.name)}</p>
            {bidder.tax_id && <p className="text-xs text-ink-faint tabular-nums">{bidder.tax_id}</p>}
            <dl className="mt-1 grid grid-cols-2 gap-x-4 gap-y-1 tabular-nums">
              <CardFact name={priceHead}>{bidder.price === null ? 'ไม่เปิดเผยราคา' : formatBaht(bidder.price)}</CardFact>
              {share !== undefined && <CardFact name={shareHead}>{formatPercent(share)}</CardFact>}
              {rank !== undefined && <CardFact name="ลำดับราคา">{rank}</CardFact>}
              <CardFact name="ผล">
                <span className="inline-flex flex-wrap gap-1">
                  <BidResult bidder={bidder} isDecided={isDecided} />
                  {bidder.is_sme !== null && <SmeBadge bidder={bidder} isInBand={isInBand} />}
                </span>
              </CardFact>
            </dl>
          </li>
        ))}
      </ul>
      {moreButton}
    </>
  )
}

function CardFact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div>
      <dt className="text-xs text-ink-muted">{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function BidResult({ bidder, isDecided }: { bidder: Bidder; isDecided: boolean }) {
  if (bidder.is_winner) return <Badge tone="new">ชนะ</Badge>
  return <span className="text-ink-muted">{isDecided ? 'ไม่ชนะ' : 'ยังไม่ประกาศผล'}</span>
}

function SmeBadge({ bidder, isInBand }: { bidder: Bidder; isInBand: boolean }) {
  if (bidder.is_sme === null) return <UnknownValue />
  if (!bidder.is_sme) return <span className="text-ink-muted">ไม่ใช่ SME</span>
  return <Badge tone="accent">{isInBand ? 'SME ในแถบ +10%' : 'SME'}</Badge>
}
