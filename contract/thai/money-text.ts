import { groupDigits } from './thai-number.ts'

const short = (amount: number) => groupDigits(amount, 0, 2)

const MILLION = 1_000_000
const MILLION_MILLION = 1_000_000_000_000

/** Baht where space is short: `500,000`, `12.5 ล้าน`, `1.2 ล้านล้าน`. Only ล้าน and ล้านล้าน are used as units (D23). */
export function shortMoneyText(baht: number): string {
  if (Math.abs(baht) >= MILLION_MILLION) return `${short(baht / MILLION_MILLION)} ล้านล้าน`
  if (Math.abs(baht) >= MILLION) return `${short(baht / MILLION)} ล้าน`
  return short(baht)
}

/** The amount that a range starts just above: a bin of the histogram holds its upper bound and not its lower one (see `MONEY_BINS`). */
function amountBelow(min: number): number | undefined {
  const satang = Math.round(min * 100)
  return satang % 100 === 1 ? (satang - 1) / 100 : undefined
}

/**
 * A range in few words: `1–50 ล้าน`, `ตั้งแต่ 500,000`, `ไม่เกิน 50 ล้าน`; one that begins a satang above a whole amount `เกิน 180,000 ถึง 320,000`.
 * The unit is said once when both sides have it.
 */
export function moneyRangeText({ min, max }: { readonly min: number | null; readonly max: number | null }): string {
  if (min === null) return max === null ? 'ทั้งหมด' : `ไม่เกิน ${shortMoneyText(max)}`
  if (min === max) return shortMoneyText(min)
  const below = amountBelow(min)
  if (max === null) return below === undefined ? `ตั้งแต่ ${shortMoneyText(min)}` : `เกิน ${shortMoneyText(below)}`
  const [low, to] = [shortMoneyText(below ?? min), shortMoneyText(max)]
  const unit = / \S+$/.exec(to)?.[0]
  const from = unit !== undefined && low.endsWith(unit) ? low.slice(0, -unit.length) : low
  return below === undefined ? `${from}–${to}` : `เกิน ${from} ถึง ${to}`
}
