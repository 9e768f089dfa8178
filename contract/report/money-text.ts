import { groupDigits } from '../thai/thai-number.ts'

const short = (amount: number) => groupDigits(amount, 0, 2)

const MILLION = 1_000_000
const MILLION_MILLION = 1_000_000_000_000

/** Baht where space is short: `500,000`, `12.5 ล้าน`, `1.2 ล้านล้าน`. Only ล้าน and ล้านล้าน are used as units (D23). */
export function shortMoneyText(baht: number): string {
  if (Math.abs(baht) >= MILLION_MILLION) return `${short(baht / MILLION_MILLION)} ล้านล้าน`
  if (Math.abs(baht) >= MILLION) return `${short(baht / MILLION)} ล้าน`
  return short(baht)
}

/** A range in few words: `1–50 ล้าน`, `ตั้งแต่ 500,000`, `ไม่เกิน 50 ล้าน`. The unit is said once when both sides have it. */
export function moneyRangeText({ min, max }: { readonly min: number | null; readonly max: number | null }): string {
  if (min === null) return max === null ? 'ทั้งหมด' : `ไม่เกิน ${shortMoneyText(max)}`
  if (max === null) return `ตั้งแต่ ${shortMoneyText(min)}`
  if (min === max) return shortMoneyText(min)
  const [from, to] = [shortMoneyText(min), shortMoneyText(max)]
  const unit = / \S+$/.exec(to)?.[0]
  return unit !== undefined && from.endsWith(unit) ? `${from.slice(0, -unit.length)}–${to}` : `${from}–${to}`
}
