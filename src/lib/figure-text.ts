import { formatBahtCompact, groupDigits, shiftDecimalPoint } from '#contract/thai/thai-number.ts'

export { formatBahtShort as shortMoneyText, formatMoneyRange as moneyRangeText } from '#contract/thai/money-text.ts'

const MILLION = 1_000_000

export function formatMillionsOfBaht(baht: number): string {
  return groupDigits(baht / MILLION, 1)
}

/** Thai writes ล้านบาท as one word. */
export function withBahtUnit(amount: string): string {
  return amount.endsWith('ล้าน') ? `${amount}บาท` : `${amount} บาท`
}

export function formatKnownBaht(value: number | null): string {
  return value === null ? 'ไม่ทราบมูลค่า' : `${formatBahtCompact(value)} บาท`
}

export function formatPercent(fraction: number): string {
  return `${groupDigits(shiftDecimalPoint(fraction, 2), 1)}%`
}
