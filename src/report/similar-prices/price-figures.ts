import type { SimilarPrices } from '#contract/catalogue/similar-prices.ts'
import { percentText } from '#src/lib/figure-text.ts'

export const DISCOUNT_BIN_WIDTH = 0.025

/** Formats a discount in words: `ต่ำกว่า 11.8%`, `สูงกว่า 2.0%`, `เท่ากับ` the reference price. */
export function discountLabel(discount: number): string {
  const text = percentText(Math.abs(discount))
  if (text === percentText(0)) return 'เท่ากับราคากลาง'
  return discount > 0 ? `ต่ำกว่าราคากลาง ${text}` : `สูงกว่าราคากลาง ${text}`
}

export function discountFigureText(discount: number): string {
  const text = percentText(Math.abs(discount))
  return discount < 0 && text !== percentText(0) ? `−${text}` : text
}

export type PriceBin = {
  readonly from: number
  readonly count: number
  readonly label: string
}

const edge = (share: number) => `${Number((share * 100).toFixed(1))}`.replace('-', '−')

export function priceBins(bins: SimilarPrices['bins']): PriceBin[] {
  if (bins.length === 0) return []
  const counts = new Map(bins.map(({ from, count }) => [Math.round(from / DISCOUNT_BIN_WIDTH), count]))
  const [firstBin, lastBin] = [Math.min(...counts.keys()), Math.max(...counts.keys())]
  return Array.from({ length: lastBin - firstBin + 1 }, (_, index) => {
    const bin = firstBin + index
    const from = bin * DISCOUNT_BIN_WIDTH
    const label =
      index === 0 && bin !== lastBin
        ? `ต่ำกว่า ${edge(from + DISCOUNT_BIN_WIDTH)}%`
        : bin === lastBin
          ? `ตั้งแต่ ${edge(from)}%`
          : `${edge(from)} ถึง ${edge(from + DISCOUNT_BIN_WIDTH)}%`
    return { from, count: counts.get(bin) ?? 0, label }
  })
}

/** Returns the position of a discount on the chart, 0 to 1; values outside are clamped to the open bins. */
export function discountChartPosition(bins: readonly PriceBin[], discount: number): number {
  const from = bins[0]?.from ?? 0
  const position = (discount - from) / (bins.length * DISCOUNT_BIN_WIDTH)
  return Math.min(1, Math.max(0, position))
}

export function discountBinIndexOf(bins: readonly PriceBin[], discount: number): number {
  // Discounts are quotients, so a value less than a millionth below a bin edge counts as on it.
  const index = Math.floor((discount - (bins[0]?.from ?? 0)) / DISCOUNT_BIN_WIDTH + 1e-6)
  return Math.min(bins.length - 1, Math.max(0, index))
}
