import type { SimilarPrices } from '#contract/catalogue/similar-prices.ts'
import { percentText } from '#src/lib/money-text.ts'

/** Bin width, as a share. */
export const BIN = 0.025

/** A discount in words: `ต่ำกว่า 11.8%`, `สูงกว่า 2.0%`, `เท่ากับ` the reference price. */
export function discountLabel(discount: number): string {
  const text = percentText(Math.abs(discount))
  if (text === percentText(0)) return 'เท่ากับราคากลาง'
  return discount > 0 ? `ต่ำกว่าราคากลาง ${text}` : `สูงกว่าราคากลาง ${text}`
}

/** A discount with a real minus sign: `11.8%`, `−2.0%`. */
export function discountFigure(discount: number): string {
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
  const counts = new Map(bins.map(({ from, count }) => [Math.round(from / BIN), count]))
  const [first, last] = [Math.min(...counts.keys()), Math.max(...counts.keys())]
  return Array.from({ length: last - first + 1 }, (_, index) => {
    const step = first + index
    const from = step * BIN
    const label =
      index === 0 && step !== last
        ? `ต่ำกว่า ${edge(from + BIN)}%`
        : step === last
          ? `ตั้งแต่ ${edge(from)}%`
          : `${edge(from)} ถึง ${edge(from + BIN)}%`
    return { from, count: counts.get(step) ?? 0, label }
  })
}

/** Position of a discount on the chart, 0 to 1; values outside are clamped to the open bins. */
export function chartPlace(bins: readonly PriceBin[], discount: number): number {
  const from = bins[0]?.from ?? 0
  const place = (discount - from) / (bins.length * BIN)
  return Math.min(1, Math.max(0, place))
}

export function binOf(bins: readonly PriceBin[], discount: number): number {
  // Shares are quotients; a value within a millionth below an edge counts as on it.
  const index = Math.floor((discount - (bins[0]?.from ?? 0)) / BIN + 1e-6)
  return Math.min(bins.length - 1, Math.max(0, index))
}
