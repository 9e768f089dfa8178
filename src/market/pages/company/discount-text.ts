import type { CompanyDetail } from '#contract/market/company.ts'
import { moneyRangeText } from '#src/lib/figure-text.ts'
import {
  buildDiscountBins,
  DISCOUNT_BIN_WIDTH_FRACTION,
  formatDiscountBinEdge as formatEdge,
} from '#src/report/similar-prices/similar-prices-discount-bins.ts'

/** Formats a share without trailing zeros: 0.025 → `2.5%`, −0.05 → `−5%`. */
export const formatDiscountBinEdge = (share: number) => `${formatEdge(share)}%`

/** Adds the empty bins. `from` is exact, because a filter of the projects states it. */
export const fillDiscountBins = (bins: CompanyDetail['discount_bins']) =>
  buildDiscountBins(bins).map(({ from, count }) => ({ from: Number(from.toFixed(3)), count }))

const MIN_EDGE = -0.1
const MAX_EDGE = 0.5

/** Labels a bin, e.g. `2.5% ถึงก่อน 5%`; the two outermost bins are open-ended. */
export function formatDiscountBin(from: number): string {
  if (from <= MIN_EDGE) return `ต่ำกว่า ${formatDiscountBinEdge(MIN_EDGE + DISCOUNT_BIN_WIDTH_FRACTION)}`
  return from >= MAX_EDGE
    ? `ตั้งแต่ ${formatDiscountBinEdge(from)}`
    : `${formatDiscountBinEdge(from)} ถึงก่อน ${formatDiscountBinEdge(from + DISCOUNT_BIN_WIDTH_FRACTION)}`
}

export const buildDiscountSizeBandRowFilter = ({ from, to }: { from: number | null; to: number | null }) =>
  `size:${from ?? ''}-${to ?? ''}`

export function formatDiscountSizeBand(value: string): string {
  const [from = '', to = ''] = value.split('-')
  return `${moneyRangeText({ min: from === '' ? null : Number(from), max: to === '' ? null : Number(to) })} บาท`
}
