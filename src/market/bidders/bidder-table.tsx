import type { Bidder, ProjectDetail } from '#contract/report/project-detail.ts'
import { formatBaht } from '#contract/thai/thai-number.ts'
import { formatPercent } from '#src/lib/figure-text.ts'
import { truncateName } from '#src/lib/truncate-name.ts'
import { Badge } from '#src/ui/badge.tsx'
import { DataList, DataTable, type DataTableColumn } from '#src/ui/data-table.tsx'
import { formatOrUnknown, UnknownValue } from '#src/ui/unknown-value.tsx'
import { useCollapsedList } from '#src/ui/use-collapsed-list.tsx'
import { type BidChart, type BidComparisonBase, computePriceRanks, isBidInSmePreferenceBand } from './bid-figures.ts'

type BidderTableProps = {
  bidders: readonly Bidder[]
  coverage: ProjectDetail['bidder_coverage']
  base: BidComparisonBase | undefined
  chart: BidChart | undefined
}

export function BidderTable({ bidders, coverage, base, chart }: BidderTableProps) {
  const ranks = computePriceRanks(bidders)
  const isDecided = bidders.some(({ is_winner }) => is_winner)
  const { visibleItems: visibleBidders, moreButton } = useCollapsedList(bidders, 'ราย')
  const facts = visibleBidders.map((bidder, index) => ({
    bidder,
    key: `${bidder.tax_id} ${bidder.name} ${index}`,
    rank: coverage === 'winner' ? undefined : ranks[index],
    share: base && bidder.price !== null ? bidder.price / base.baht : undefined,
    isInBand: chart !== undefined && isBidInSmePreferenceBand(chart, bidder),
  }))
  const columns: readonly DataTableColumn<(typeof facts)[number]>[] = [
    {
      head: 'ผู้เสนอราคา',
      className: 'min-w-48',
      cell: ({ bidder }) => (
        <>
          <span className={bidder.is_winner ? 'font-semibold' : undefined}>{truncateName(bidder.name)}</span>
          {bidder.tax_id && <span className="block text-xs text-ink-faint tabular-nums">{bidder.tax_id}</span>}
        </>
      ),
    },
    {
      head: `${coverage === 'winner' ? 'ราคาที่ชนะ' : 'ราคาที่เสนอ'} (บาท)`,
      isNumeric: true,
      cell: ({ bidder }) => formatOrUnknown(bidder.price, formatBaht),
    },
    {
      head: base === undefined || base.against === 'reference' ? '% ของราคากลาง' : '% ของงบประมาณ',
      isNumeric: true,
      cell: ({ share }) => formatOrUnknown(share, formatPercent),
    },
    { head: 'ลำดับราคา', isNumeric: true, cell: ({ rank }) => rank ?? <UnknownValue /> },
    { head: 'ผล', cell: ({ bidder }) => <BidResult bidder={bidder} isDecided={isDecided} /> },
    { head: 'SME', cell: ({ bidder, isInBand }) => <SmeBadge bidder={bidder} isInBand={isInBand} /> },
  ]
  return (
    <>
      <DataTable
        caption="ผู้เสนอราคาและราคา"
        frame="mt-3 overflow-x-auto max-md:hidden"
        columns={columns}
        rows={facts}
        getKey={({ key }) => key}
      />
      <DataList
        caption="ผู้เสนอราคาและราคา"
        columns={columns}
        rows={facts}
        getKey={({ key }) => key}
        className="mt-3 border-t border-line md:hidden"
      />
      {moreButton}
    </>
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
