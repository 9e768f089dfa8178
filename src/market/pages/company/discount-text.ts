import type { CompanyDetail } from '#contract/market/company.ts'
import { moneyRangeText } from '#src/lib/figure-text.ts'

const STEP = 0.025

const edge = new Intl.NumberFormat('th-TH', { maximumFractionDigits: 1 })
/** Formats a share without trailing zeros: 0.025 → `2.5%`, −0.05 → `−5%`. */
export const formatDiscountBinEdge = (share: number) => `${edge.format(share * 100).replace('-', '−')}%`

type Bins = CompanyDetail['discount_bins']

/** Adds the empty bins between the first and the last one, because such a gap is meaningful. */
export function fillDiscountBins(bins: Bins): { from: number; count: number }[] {
  const [first, last] = [bins[0], bins.at(-1)]
  if (!first || !last) return []
  const length = Math.round((last.from - first.from) / STEP) + 1
  return Array.from({ length }, (_, index) => {
    const from = Number((first.from + index * STEP).toFixed(3))
    return { from, count: bins.find((bin) => Math.abs(bin.from - from) < STEP / 10)?.count ?? 0 }
  })
}

const MIN_EDGE = -0.1
const MAX_EDGE = 0.5

/** Labels a bin, e.g. `2.5% ถึงก่อน 5%`; the two outermost bins are open-ended. */
export function formatDiscountBin(from: number): string {
  if (from <= MIN_EDGE) return `ต่ำกว่า ${formatDiscountBinEdge(MIN_EDGE + STEP)}`
  return from >= MAX_EDGE
    ? `ตั้งแต่ ${formatDiscountBinEdge(from)}`
    : `${formatDiscountBinEdge(from)} ถึงก่อน ${formatDiscountBinEdge(from + STEP)}`
}

/** Returns where a discount falls among the columns, in column widths; 0 is the left edge of the first column. */
export function getDiscountColumnPosition(bins: readonly { readonly from: number }[], discount: number): number {
  const firstEdge = bins[0]?.from ?? 0
  return Math.min(bins.length, Math.max(0, (discount - firstEdge) / STEP))
}

export const buildDiscountSizeBandRowFilter = ({ from, to }: { from: number | null; to: number | null }) =>
  `size:${from ?? ''}-${to ?? ''}`

export function formatDiscountSizeBand(value: string): string {
  const [from = '', to = ''] = value.split('-')
  return `${moneyRangeText({ min: from === '' ? null : Number(from), max: to === '' ? null : Number(to) })} บาท`
}
