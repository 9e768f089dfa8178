import { MIN_COMPARED_PRICES, type SimilarProjectPrices } from '#contract/catalogue/similar-prices.ts'
import { formatCountWithSeparators, moneyRangeText } from '#src/lib/figure-text.ts'
import { formatDiscountFigure } from './similar-prices-discount-bins.ts'

type Breakdown = SimilarProjectPrices['breakdown']
type QuartileRow = Pick<Breakdown['years'][number], 'n' | 'p25' | 'median' | 'p75'>

export function SimilarPriceBreakdown({ breakdown: { n, bands, agencies, years } }: { breakdown: Breakdown }) {
  if (n < MIN_COMPARED_PRICES) return null
  return (
    <section aria-label="ส่วนลดแยกตามวงเงิน หน่วยงาน และปี" className="mt-4">
      <h3 className="text-sm font-semibold">ส่วนลดแยกตามวงเงิน หน่วยงาน และปี</h3>
      <p className="text-xs text-ink-muted">
        จากงานชื่อคล้ายกันทุกหน่วยงาน ทุกปี วงเงินห่างไม่เกิน 10 เท่า {formatCountWithSeparators(n)} งาน · น้อยกว่า{' '}
        {MIN_COMPARED_PRICES} งานไม่คิดค่ากลาง
      </p>
      <Table
        name="ราคากลาง (บาท)"
        rows={bands.map((band) => ({
          key: `${band.from}`,
          title: moneyRangeText({ min: band.from, max: band.to }),
          of: band,
        }))}
      />
      <Table
        name="หน่วยงาน"
        rows={agencies.map((agency, at) => ({
          key: `${at} ${agency.name}`,
          title: agency.is_own ? `${agency.name} (หน่วยงานนี้)` : agency.name,
          of: agency,
        }))}
      />
      <Table
        name="ปีงบประมาณที่รู้ผล"
        rows={years.map((year) => ({
          key: String(year.year),
          title: year.year === 0 ? 'ไม่ทราบปี' : String(year.year),
          of: year,
        }))}
      />
    </section>
  )
}

type TableProps = {
  name: string
  rows: readonly { readonly key: string; readonly title: string; readonly of: QuartileRow }[]
}

function Table({ name, rows }: TableProps) {
  return (
    <table className="mt-2 w-full text-sm tabular-nums break-inside-avoid">
      <thead className="border-b border-line text-xs text-ink-muted">
        <tr>
          <th className="py-1 text-left font-medium">{name}</th>
          <th className="py-1 pl-2 text-right font-medium whitespace-nowrap">มัธยฐาน</th>
          <th className="py-1 pl-2 text-right font-medium whitespace-nowrap">ครึ่งหนึ่งลด</th>
          <th className="py-1 pl-2 text-right font-medium whitespace-nowrap">จำนวนงาน</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, title, of: { n, median, p25, p75 } }) => (
          <tr key={key} className="border-b border-line last:border-0">
            <th scope="row" className="py-1 text-left font-normal">
              {title}
            </th>
            <td className="py-1 pl-2 text-right">{median === null ? '–' : formatDiscountFigure(median)}</td>
            <td className="py-1 pl-2 text-right whitespace-nowrap">
              {p25 === null || p75 === null ? 'น้อยไป' : `${formatDiscountFigure(p25)} – ${formatDiscountFigure(p75)}`}
            </td>
            <td className="py-1 pl-2 text-right">{formatCountWithSeparators(n)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
