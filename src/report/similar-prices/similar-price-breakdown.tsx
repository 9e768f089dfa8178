import { MIN_COMPARED_PRICES, type SimilarProjectPrices } from '#contract/catalogue/similar-prices.ts'
import { formatCountWithSeparators, moneyRangeText } from '#src/lib/figure-text.ts'
import { DataTable } from '#src/ui/data-table.tsx'
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

const dash = (discount: number | null) => (discount === null ? '–' : formatDiscountFigure(discount))

function Table({ name, rows }: TableProps) {
  return (
    <DataTable
      caption={`ส่วนลดแยกตาม${name}`}
      className="mt-2 break-inside-avoid"
      rows={rows}
      getKey={({ key }) => key}
      columns={[
        { head: name, cell: ({ title }) => title },
        { head: 'มัธยฐาน', isNumeric: true, cell: ({ of: { median } }) => dash(median) },
        {
          head: 'ครึ่งหนึ่งลด',
          isNumeric: true,
          cell: ({ of: { p25, p75 } }) => (p25 === null || p75 === null ? 'น้อยไป' : `${dash(p25)} – ${dash(p75)}`),
        },
        { head: 'จำนวนงาน', isNumeric: true, cell: ({ of: { n } }) => formatCountWithSeparators(n) },
      ]}
    />
  )
}
