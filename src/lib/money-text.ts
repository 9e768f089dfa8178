// Where the screens look for them; the mails say amounts in the same words.
export { moneyRangeText, shortMoneyText } from '#contract/report/money-text.ts'

const millions = new Intl.NumberFormat('th-TH', { minimumFractionDigits: 1, maximumFractionDigits: 1 })
const counts = new Intl.NumberFormat('th-TH')
const percents = new Intl.NumberFormat('th-TH', {
  style: 'percent',
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
})

const MILLION = 1_000_000

/** Millions of baht with one decimal, for a total: `14,208.6`. */
export function millionText(baht: number): string {
  return millions.format(baht / MILLION)
}

/** A whole number with group signs: `1,234`. */
export function countText(count: number): string {
  return counts.format(count)
}

/** A share with one decimal: 0.083 → `8.3%`. */
export function percentText(share: number): string {
  return percents.format(share)
}
