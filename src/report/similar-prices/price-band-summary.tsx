import { MIN_SIMILAR_PROJECTS, type SimilarProjectPrices } from '#contract/catalogue/similar-prices.ts'
import { formatBahtCompact, formatCount } from '#contract/thai/thai-number.ts'
import { formatBandSubject, formatDiscountRange } from './similar-prices-discount-bins.ts'

type PriceBandSummaryProps = {
  prices: Pick<SimilarProjectPrices, 'band' | 'n'>
  reference: number | null
}

/** States the discounts between which eight of ten comparable projects were won, also in baht of this project. */
export function PriceBandSummary({ prices: { band, n }, reference }: PriceBandSummaryProps) {
  if (band === null) {
    // Without any similar project, the chart below shows a notice.
    return n === 0 ? null : (
      <p className="mt-3 text-ink-muted">
        มีงานคล้ายกันที่รู้ราคาไม่ถึง {MIN_SIMILAR_PROJECTS} งาน น้อยเกินไปที่จะบอกช่วงส่วนลดของ 8 ใน 10 งาน
      </p>
    )
  }
  return (
    <div className="mt-3 tabular-nums">
      <p>
        {formatBandSubject(band)}{' '}
        <span className="text-xl font-bold whitespace-nowrap text-accent-ink">
          {formatDiscountRange(band.low, band.high)}
        </span>{' '}
        <span className="whitespace-nowrap">จาก {formatCount(band.n)} งาน</span>
      </p>
      {reference !== null && reference > 0 && (
        <p>
          คิดกับราคากลางของโครงการนี้ {formatBahtCompact(reference * (1 - band.high))} –{' '}
          {formatBahtCompact(reference * (1 - band.low))} บาท
        </p>
      )}
      {band.basis === 'agency' && (
        <p className="text-xs text-ink-muted">
          งานที่ชื่อคล้ายกันมีไม่ถึง {MIN_SIMILAR_PROJECTS} งาน ช่วงนี้จึงมาจากงานประเภทและวิธีเดียวกันของหน่วยงานนี้ที่วงเงินใกล้กัน
          ชื่องานอาจต่างกัน อ่านอย่างระวัง
        </p>
      )}
    </div>
  )
}
