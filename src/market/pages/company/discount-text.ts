import type { CompanyDetail } from '#contract/market/company.ts'
import { moneyRangeText } from '#src/lib/money-text.ts'

const STEP = 0.025

const edge = new Intl.NumberFormat('th-TH', { maximumFractionDigits: 1 })
/** Formats a share without trailing zeros: 0.025 → `2.5%`, −0.05 → `−5%`. */
export const edgeText = (share: number) => `${edge.format(share * 100).replace('-', '−')}%`

type Bins = CompanyDetail['discount_bins']

/** Returns all bins from the first to the last non-empty one; a gap in between is meaningful. */
export function wholeBins(bins: Bins): { from: number; count: number }[] {
  const [first, last] = [bins[0], bins.at(-1)]
  if (!first || !last) return []
  const length = Math.round((last.from - first.from) / STEP) + 1
  return Array.from({ length }, (_, index) => {
    const from = Number((first.from + index * STEP).toFixed(3))
    return { from, count: bins.find((bin) => Math.abs(bin.from - from) < STEP / 10)?.count ?? 0 }
  })
}

/** Histogram limits; the outer bins include everything beyond. */
const LOWEST = -0.1
const HIGHEST = 0.5

/** Labels a bin: `2.5% ถึงก่อน 5%`; the outer two are open-ended. */
export function binLabel(from: number): string {
  if (from <= LOWEST) return `ต่ำกว่า ${edgeText(LOWEST + STEP)}`
  return from >= HIGHEST ? `ตั้งแต่ ${edgeText(from)}` : `${edgeText(from)} ถึงก่อน ${edgeText(from + STEP)}`
}

/** 0 is the left edge of the first column. */
export function placeAmong(bins: readonly { readonly from: number }[], discount: number): number {
  const first = bins[0]?.from ?? 0
  return Math.min(bins.length, Math.max(0, (discount - first) / STEP))
}

export const sizeRows = ({ from, to }: { from: number | null; to: number | null }) => `size:${from ?? ''}-${to ?? ''}`

export function sizeLabel(value: string): string {
  const [from = '', to = ''] = value.split('-')
  return `${moneyRangeText({ min: from === '' ? null : Number(from), max: to === '' ? null : Number(to) })} บาท`
}
