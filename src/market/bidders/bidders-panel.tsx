import { UsersRound } from 'lucide-react'
import { AWARDED_PROJECT_MOVEMENTS } from '#contract/catalogue/bid-state.ts'
import { formatLawClause } from '#contract/catalogue/procurement-rules.ts'
import { AWARD_CRITERIA, getChoiceLabel } from '#contract/catalogue/project.ts'
import { getAnnouncementDay } from '#contract/report/eligibility.ts'
import {
  findPriceAdvantage,
  type PriceAdvantage,
  rankIfSme,
  rankWithAdvantage,
} from '#contract/report/price-advantage.ts'
import type { Bidder, ProjectDetail } from '#contract/report/project-detail.ts'
import { formatThaiDateShortOrOriginal } from '#contract/thai/thai-date.ts'
import { formatBaht, formatBahtCompact, formatCount } from '#contract/thai/thai-number.ts'
import { formatPercent } from '#src/lib/figure-text.ts'
import { truncateName } from '#src/lib/truncate-name.ts'
import { withReactKeys } from '#src/lib/with-react-keys.ts'
import { Badge, type BadgeTone } from '#src/ui/badge.tsx'
import { Card } from '#src/ui/card.tsx'
import { ChartLegend } from '#src/ui/chart/chart-legend.tsx'
import { DataList, DataTable, type DataTableColumn } from '#src/ui/data-table.tsx'
import { Fact } from '#src/ui/fact.tsx'
import { formatOrUnknown, UnknownValue } from '#src/ui/unknown-value.tsx'
import { useCollapsedList } from '#src/ui/use-collapsed-list.tsx'
import {
  type BidComparisonBase,
  buildBidChart,
  type BidChart as Chart,
  computePriceRanks,
  getBidComparisonBase,
  isBidInSmePreferenceBand,
  toBidChartAxisPercent,
} from './bid-figures.ts'

const BASE_NAMES = {
  reference: 'ราคากลาง',
  budget: 'งบประมาณ (ไม่มีราคากลาง)',
  budget_for_doubtful_reference: 'งบประมาณ (ราคากลางน่าสงสัย)',
}

function BidChart({ chart, bidders }: { chart: Chart; bidders: readonly Bidder[] }) {
  const at = (baht: number) => `${toBidChartAxisPercent(chart, baht)}%`
  const { base, smeLine, lowest } = chart
  const priced = bidders.filter((bidder) => bidder.price !== null)
  return (
    <figure className="mt-3" aria-label="กราฟราคาที่เสนอ ตัวเลขเดียวกับตาราง">
      <svg aria-hidden width="100%" height="64" className="block overflow-visible">
        {smeLine !== undefined && (
          <rect
            x={at(lowest)}
            y="8"
            width={`${toBidChartAxisPercent(chart, smeLine) - toBidChartAxisPercent(chart, lowest)}%`}
            height="48"
            className="fill-accent-soft"
          />
        )}
        <line x1="0" x2="100%" y1="32" y2="32" className="stroke-line-strong" />
        {smeLine !== undefined && (
          <line x1={at(smeLine)} x2={at(smeLine)} y1="8" y2="56" className="stroke-accent-ink" strokeDasharray="4 3" />
        )}
        {base && <line x1={at(base.baht)} x2={at(base.baht)} y1="4" y2="60" className="stroke-ink" strokeWidth="2" />}
        {priced
          .toSorted((a, b) => Number(a.is_winner) - Number(b.is_winner))
          .map((bidder) => (
            <circle
              key={`${bidder.tax_id} ${bidder.name}`}
              cx={at(bidder.price!)}
              cy="32"
              r={bidder.is_winner ? 7 : 5.5}
              strokeWidth="2"
              className={bidder.is_winner ? 'fill-accent stroke-surface' : 'fill-surface stroke-ink-muted'}
            />
          ))}
      </svg>
      <figcaption>
        <ChartLegend
          className="mt-1 tabular-nums"
          entries={[
            priced.some(({ is_winner }) => is_winner) && {
              text: 'ผู้ชนะ',
              markerClasses: 'size-3 rounded-full bg-accent',
            },
            priced.some(({ is_winner }) => !is_winner) && {
              text: 'ผู้เสนอราคารายอื่น',
              markerClasses: 'size-2.5 rounded-full border-2 border-ink-muted',
            },
            base && {
              text: `${BASE_NAMES[base.against]} ${formatBahtCompact(base.baht)}`,
              markerClasses: 'h-3.5 w-0.5 bg-ink',
            },
            smeLine !== undefined && {
              text: `ต่ำสุด +10% ${formatBahtCompact(smeLine)} (แต้มต่อ SME เมื่อใช้เกณฑ์ราคา)`,
              markerClasses: 'h-3.5 border-l-2 border-dashed border-accent-ink',
            },
          ].filter((entry) => !!entry)}
        />
      </figcaption>
    </figure>
  )
}

type Coverage = ProjectDetail['bidder_coverage']

const COVERAGE_WORDS: Readonly<
  Record<Coverage, { readonly name: string; readonly tone: BadgeTone; readonly text: string }>
> = {
  full: { name: 'ครบทุกราย', tone: 'new', text: 'มีรายชื่อและราคาของผู้เสนอราคาทุกราย' },
  names: { name: 'ราคาไม่ครบ', tone: 'updated', text: 'มีรายชื่อผู้เสนอราคา แต่ไม่ทราบราคาของบางราย' },
  winner: { name: 'เฉพาะผู้ชนะ', tone: 'neutral', text: 'e-GP เผยแพร่เฉพาะผู้ชนะ ไม่ทราบว่ามีผู้เสนอราคารายอื่นหรือไม่' },
  none: { name: 'ไม่มีข้อมูล', tone: 'neutral', text: 'e-GP ไม่ได้เผยแพร่รายชื่อผู้เสนอราคา' },
}

/** Shows the bids against the reference price and the SME band, and how many of them e-GP published (N5, N14). */
export function BiddersCard({ detail }: { detail: Pick<ProjectDetail, 'row' | 'bidders' | 'bidder_coverage'> }) {
  const { row, bidders, bidder_coverage: coverage } = detail
  const base = getBidComparisonBase(row)
  const chart = buildBidChart(bidders, base)
  return (
    <Card as="section" aria-label="ผู้เสนอราคา" className="p-5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2 className="text-md font-semibold">ผู้เสนอราคา</h2>
        {bidders.length > 0 && coverage !== 'winner' && (
          <span className="text-ink-muted tabular-nums">{formatCount(bidders.length)} ราย</span>
        )}
        <Badge tone={COVERAGE_WORDS[coverage].tone}>{COVERAGE_WORDS[coverage].name}</Badge>
      </div>
      {bidders.length === 0 ? (
        <div className="mt-3 flex items-start gap-3 text-ink-muted">
          <UsersRound aria-hidden className="mt-0.5 size-5 shrink-0 text-ink-faint" />
          <div>
            <p className="font-medium text-ink">{COVERAGE_WORDS.none.text}</p>
            <p>
              {AWARDED_PROJECT_MOVEMENTS.includes(row.movement)
                ? 'บางวิธีจัดหาเผยแพร่เฉพาะผลโดยไม่มีรายชื่อ'
                : 'มักเผยแพร่หลังประกาศผลผู้ชนะ'}
            </p>
          </div>
        </div>
      ) : (
        <>
          <p className="mt-0.5 text-sm text-ink-muted">{COVERAGE_WORDS[coverage].text}</p>
          {chart && <BidChart chart={chart} bidders={bidders} />}
          <BidderTable bidders={bidders} coverage={coverage} base={base} chart={chart} />
          <PriceAdvantageSection row={row} bidders={bidders} coverage={coverage} />
        </>
      )}
    </Card>
  )
}

type BidderTableProps = {
  bidders: readonly Bidder[]
  coverage: Coverage
  base: BidComparisonBase | undefined
  chart: Chart | undefined
}

function BidderTable({ bidders, coverage, base, chart }: BidderTableProps) {
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
  const table = { caption: 'ผู้เสนอราคาและราคา', columns, rows: facts, getKey: ({ key }: (typeof facts)[number]) => key }
  return (
    <>
      <DataTable {...table} frame="mt-3 overflow-x-auto max-md:hidden" />
      <DataList {...table} className="mt-3 border-t border-line md:hidden" />
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

export function ContractsCard({ contracts }: Pick<ProjectDetail, 'contracts'>) {
  const byAmount = contracts.toSorted((a, b) => (b.amount ?? -1) - (a.amount ?? -1))
  const { visibleItems: visibleContracts, moreButton } = useCollapsedList(byAmount, 'ฉบับ')
  const knownAmounts = contracts.flatMap(({ amount }) => (amount === null ? [] : [amount]))
  const isComplete = knownAmounts.length === contracts.length
  const sum = knownAmounts.reduce((total, amount) => total + amount, 0)
  return (
    <Card as="section" aria-label="สัญญา" className="p-5">
      <div className="flex flex-wrap items-baseline gap-x-3">
        <h2 className="text-md font-semibold">สัญญา</h2>
        {contracts.length > 1 && (
          <span className="text-ink-muted tabular-nums">
            {contracts.length} ฉบับ{isComplete && ` รวม ${formatBaht(sum)} บาท`}
          </span>
        )}
      </div>
      {contracts.length === 0 ? (
        <p className="mt-1 text-ink-muted">ยังไม่มีสัญญาที่เผยแพร่ใน e-GP</p>
      ) : (
        <ul className="mt-2 divide-y divide-line">
          {/* Lots may share a contract number. */}
          {withReactKeys(visibleContracts, ({ contract_no }) => contract_no).map(({ key, item: contract }) => (
            <li key={key} className="py-2.5">
              <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
                <span className="font-medium tabular-nums">{contract.contract_no || 'ไม่มีเลขที่สัญญา'}</span>
                {contract.status && <Badge>{contract.status}</Badge>}
              </p>
              {contract.winner_name && <p>{truncateName(contract.winner_name)}</p>}
              <dl className="mt-1 flex flex-wrap gap-x-6 gap-y-1 tabular-nums">
                {contract.amount !== null && <Fact name="มูลค่า (บาท)">{formatBaht(contract.amount)}</Fact>}
                {contract.signed_date && (
                  <Fact name="วันที่ทำสัญญา">{formatThaiDateShortOrOriginal(contract.signed_date)}</Fact>
                )}
                {contract.end_date && <Fact name="วันสิ้นสุดสัญญา">{formatThaiDateShortOrOriginal(contract.end_date)}</Fact>}
              </dl>
            </li>
          ))}
        </ul>
      )}
      {moreButton}
    </Card>
  )
}

export function BiddersPanel({ detail }: { detail: ProjectDetail }) {
  return (
    <>
      <BiddersCard detail={detail} />
      {detail.contracts.length > 0 && <ContractsCard contracts={detail.contracts} />}
    </>
  )
}

type PriceAdvantageSectionProps = Pick<ProjectDetail, 'row' | 'bidders'> & { coverage: Coverage }

/** Requires all prices, because a missing bid may be the lowest. A bidder of unknown size may be an SME. */
function PriceAdvantageSection({ row, bidders, coverage }: PriceAdvantageSectionProps) {
  const advantage = findPriceAdvantage(getAnnouncementDay(row))
  if (!advantage || row.method !== 'e_bidding') return null
  const { criteria } = row
  const isOther = criteria !== 'price' && criteria !== 'no_data'
  return (
    <section aria-label="แต้มต่อราคา" className="mt-4 border-t border-line pt-3 text-sm">
      <h3 className="font-semibold">แต้มต่อราคา</h3>
      <p className="text-ink-muted">
        ในเกณฑ์ราคา: SMEs {advantage.percents.sme} % · Made in Thailand {advantage.percents.mit} % · ทั้งสองอย่าง{' '}
        {advantage.percents.both} % · ผู้ประกอบการไทยเทียบต่างชาติ {advantage.percents.thai} %{' '}
        <span className="text-xs text-ink-faint">{formatLawClause(advantage.source)}</span>
      </p>
      {isOther && (
        <p className="mt-1">โครงการนี้ใช้{getChoiceLabel(AWARD_CRITERIA, criteria)} ลำดับจึงไม่ได้ตัดสินด้วยราคาอย่างเดียว</p>
      )}
      {!isOther && coverage === 'full' && bidders.length > 1 && (
        <PriceAdvantageOrder bidders={bidders} advantage={advantage} isCriterionUnknown={criteria === 'no_data'} />
      )}
    </section>
  )
}

type PriceAdvantageOrderProps = { bidders: readonly Bidder[]; advantage: PriceAdvantage; isCriterionUnknown: boolean }

const MAX_LISTED = 10

function PriceAdvantageOrder({ bidders, advantage, isCriterionUnknown }: PriceAdvantageOrderProps) {
  const ranks = rankWithAdvantage(bidders, advantage)
  const plain = rankWithAdvantage(
    bidders.map((bidder) => ({ ...bidder, is_sme: false })),
    advantage,
  )
  const isChanged = ranks.some((rank, index) => rank !== plain[index])
  const ordered = bidders
    .map((bidder, index) => ({ bidder, rank: ranks[index]!, before: plain[index]! }))
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, MAX_LISTED)
  const rising = bidders.flatMap((bidder, index) => {
    const rank = bidder.is_sme === null ? rankIfSme(bidders, index, advantage) : undefined
    return rank !== undefined && rank < ranks[index]! ? [{ bidder, rank }] : []
  })
  return (
    <>
      {isCriterionUnknown && <p className="mt-1 text-ink-muted">ยังไม่มีข้อมูลเกณฑ์ ลำดับนี้ใช้ได้ถ้าเป็นเกณฑ์ราคา</p>}
      {isChanged ? (
        <ol aria-label="ลำดับเมื่อมีแต้มต่อ" className="mt-1 space-y-0.5">
          {withReactKeys(ordered, ({ bidder }) => bidder.name).map(({ key, item: { bidder, rank, before } }) => (
            <li key={key}>
              {rank}. {truncateName(bidder.name)}
              {rank !== before && <span className="text-ink-muted"> (ลำดับราคา {before})</span>}
            </li>
          ))}
        </ol>
      ) : (
        <p className="mt-1">จากข้อมูล SMEs ที่มี ลำดับเมื่อมีแต้มต่อเท่ากับลำดับราคา</p>
      )}
      {withReactKeys(rising.slice(0, MAX_LISTED), ({ bidder }) => bidder.name).map(
        ({ key, item: { bidder, rank } }) => (
          <p key={key} className="text-ink-muted">
            ถ้า {truncateName(bidder.name)} เป็น SMEs น่าจะเป็นลำดับ {rank} ตรวจทะเบียน THAI SME-GP
          </p>
        ),
      )}
    </>
  )
}
