export type Discount = {
  /** Fraction below the reference price, 0.083 = 8.3 %; negative when the winner is more expensive. */
  readonly rate: number
  /**
   * Base price of the rate: the budget if the project has no reference price. Never average rates with different bases
   * (D20).
   */
  readonly against: 'reference' | 'budget'
}

/**
 * Returns the discount of the winning price (D20); undefined when a price is unknown or the base is not positive.
 * Amounts in baht.
 */
export function calculateDiscount(row: {
  readonly budget: number | null
  readonly estimate_budget: number | null
  readonly winner_budget: number | null
}): Discount | undefined {
  const against = row.estimate_budget === null ? 'budget' : 'reference'
  const base = row.estimate_budget ?? row.budget
  if (base === null || base <= 0 || row.winner_budget === null) return undefined
  return { rate: (base - row.winner_budget) / base, against }
}

export const DISCOUNT_TEXTS = {
  weighted: {
    th: 'ส่วนลดรวมทุกงาน',
    means: 'รวมราคากลางของทุกงานที่ชนะ แล้วดูว่าราคาที่ชนะรวมกันต่ำกว่าเท่าใด งานใหญ่จึงมีน้ำหนักมากกว่างานเล็ก',
  },
  median: {
    th: 'ส่วนลดงานทั่วไป',
    means: 'ค่ากลางของส่วนลดทีละงาน ครึ่งหนึ่งของงานลดมากกว่านี้ อีกครึ่งลดน้อยกว่า งานใหญ่กับงานเล็กนับเท่ากัน',
  },
} as const

/**
 * Bands by reference price, baht: up to 500,000 the state may buy without competition; from 5 million a draft must be
 * published first.
 */
export const REFERENCE_PRICE_BANDS: readonly { readonly from: number | null; readonly to: number | null }[] = [
  { from: null, to: 500_000 },
  { from: 500_000, to: 5_000_000 },
  { from: 5_000_000, to: 10_000_000 },
  { from: 10_000_000, to: 50_000_000 },
  { from: 50_000_000, to: null },
]

/** Compares a price in satang with a band in baht. */
export const isInPriceBand = (satang: number, { from, to }: (typeof REFERENCE_PRICE_BANDS)[number]): boolean =>
  (from === null || satang >= from * 100) && (to === null || satang < to * 100)
