import type { PriceBand, SimilarProjectPrices } from '#contract/catalogue/similar-prices.ts'
import { formatPercent } from '#src/lib/figure-text.ts'

export const DISCOUNT_BIN_WIDTH_FRACTION = 0.025

export function formatDiscountInWords(discount: number): string {
  const text = formatPercent(Math.abs(discount))
  if (text === formatPercent(0)) return 'เท่ากับราคากลาง'
  return discount > 0 ? `ต่ำกว่าราคากลาง ${text}` : `สูงกว่าราคากลาง ${text}`
}

export function formatDiscountFigure(discount: number): string {
  const text = formatPercent(Math.abs(discount))
  return discount < 0 && text !== formatPercent(0) ? `−${text}` : text
}

export function formatDiscountRange(low: number, high: number): string {
  const [from, to] = [formatDiscountFigure(low), formatDiscountFigure(high)]
  return from === to ? from : `${from} – ${to}`
}

const BAND_BASIS_TEXTS: Readonly<Record<PriceBand['basis'], string>> = {
  similar: 'งานคล้ายกัน',
  agency: 'งานประเภทเดียวกันของหน่วยงานนี้',
}

export const formatBandSubject = ({ basis }: Pick<PriceBand, 'basis'>): string =>
  `8 ใน 10 ${BAND_BASIS_TEXTS[basis]}ชนะที่ส่วนลด`

export type DiscountBin = {
  readonly from: number
  readonly count: number
  readonly label: string
}

/** Formats the edge of a bin, in percent without the sign `%`. */
export const formatDiscountBinEdge = (share: number) => `${Number((share * 100).toFixed(1))}`.replace('-', '−')

export function buildDiscountBins(bins: SimilarProjectPrices['bins']): DiscountBin[] {
  if (bins.length === 0) return []
  const counts = new Map(bins.map(({ from, count }) => [Math.round(from / DISCOUNT_BIN_WIDTH_FRACTION), count]))
  const [firstBin, lastBin] = [Math.min(...counts.keys()), Math.max(...counts.keys())]
  return Array.from({ length: lastBin - firstBin + 1 }, (_, index) => {
    const bin = firstBin + index
    const from = bin * DISCOUNT_BIN_WIDTH_FRACTION
    const label =
      index === 0 && bin !== lastBin
        ? `ต่ำกว่า ${formatDiscountBinEdge(from + DISCOUNT_BIN_WIDTH_FRACTION)}%`
        : bin === lastBin
          ? `ตั้งแต่ ${formatDiscountBinEdge(from)}%`
          : `${formatDiscountBinEdge(from)} ถึง ${formatDiscountBinEdge(from + DISCOUNT_BIN_WIDTH_FRACTION)}%`
    return { from, count: counts.get(bin) ?? 0, label }
  })
}

/** Returns the position of a discount on the chart in bins; values outside are clamped to the open bins. */
export function getDiscountChartPosition(bins: readonly Pick<DiscountBin, 'from'>[], discount: number): number {
  const from = bins[0]?.from ?? 0
  return Math.min(bins.length, Math.max(0, (discount - from) / DISCOUNT_BIN_WIDTH_FRACTION))
}

export function findDiscountBinIndex(bins: readonly DiscountBin[], discount: number): number {
  // Discounts are quotients, so a value less than a millionth below a bin edge counts as on it.
  const index = Math.floor((discount - (bins[0]?.from ?? 0)) / DISCOUNT_BIN_WIDTH_FRACTION + 1e-6)
  return Math.min(bins.length - 1, Math.max(0, index))
}
