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
import { truncateName } from '#src/lib/truncate-name.ts'
import { withReactKeys } from '#src/lib/with-react-keys.ts'

type PriceAdvantageSectionProps = {
  row: ProjectDetail['row']
  bidders: readonly Bidder[]
  coverage: ProjectDetail['bidder_coverage']
}

/**
 * The order of bids with the advantage of SMEs, and what it would be if a bidder of unknown size were one. Only where
 * every price is known: a missing bid may be the lowest.
 */
export function PriceAdvantageSection({ row, bidders, coverage }: PriceAdvantageSectionProps) {
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
        <Order bidders={bidders} advantage={advantage} isCriterionUnknown={criteria === 'no_data'} />
      )}
    </section>
  )
}

type OrderProps = { bidders: readonly Bidder[]; advantage: PriceAdvantage; isCriterionUnknown: boolean }

const MAX_LISTED = 10

function Order({ bidders, advantage, isCriterionUnknown }: OrderProps) {
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
