import { groupDigits, movePoint } from '#contract/thai/thai-number.ts'

// Where the screens look for them; the mails say amounts in the same words.
export { moneyRangeText, shortMoneyText } from '#contract/thai/money-text.ts'

const MILLION = 1_000_000

/** Millions of baht with one decimal, for a total: `14,208.6`. */
export function millionText(baht: number): string {
  return groupDigits(baht / MILLION, 1)
}

/** A whole number with group signs: `1,234`. */
export function countText(count: number): string {
  return groupDigits(count, 0, 3)
}

/** A share with one decimal: 0.083 → `8.3%`. */
export function percentText(share: number): string {
  return `${groupDigits(movePoint(share, 2), 1)}%`
}
