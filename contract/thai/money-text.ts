import { groupDigits } from './thai-number.ts'

const short = (amount: number) => groupDigits(amount, 0, 2)

const MILLION = 1_000_000
const MILLION_MILLION = 1_000_000_000_000

/**
 * Formats a short amount in baht: `500,000`, `12.5 ล้าน`, `1.2 ล้านล้าน`. Uses only the units ล้าน and ล้านล้าน (D23).
 */
export function formatBahtShort(baht: number): string {
  if (Math.abs(baht) >= MILLION_MILLION) return `${short(baht / MILLION_MILLION)} ล้านล้าน`
  if (Math.abs(baht) >= MILLION) return `${short(baht / MILLION)} ล้าน`
  return short(baht)
}

/**
 * Returns the exclusive lower bound of a range; histogram bins exclude their lower bound and include the upper one (see
 * `MONEY_HISTOGRAM_UPPER_BOUNDS_BAHT`).
 */
function amountBelow(min: number): number | undefined {
  const satang = Math.round(min * 100)
  return satang % 100 === 1 ? (satang - 1) / 100 : undefined
}

/**
 * Formats a short range: `1–50 ล้าน`, `ตั้งแต่ 500,000`, `ไม่เกิน 50 ล้าน`; `เกิน 180,000 ถึง 320,000` when it starts a
 * satang above a whole amount. A unit common to both ends is printed once.
 */
export function formatMoneyRange({ min, max }: { readonly min: number | null; readonly max: number | null }): string {
  if (min === null) return max === null ? 'ทั้งหมด' : `ไม่เกิน ${formatBahtShort(max)}`
  if (min === max) return formatBahtShort(min)
  const below = amountBelow(min)
  if (max === null) return below === undefined ? `ตั้งแต่ ${formatBahtShort(min)}` : `เกิน ${formatBahtShort(below)}`
  const [low, to] = [formatBahtShort(below ?? min), formatBahtShort(max)]
  const unit = / \S+$/.exec(to)?.[0]
  const from = unit !== undefined && low.endsWith(unit) ? low.slice(0, -unit.length) : low
  return below === undefined ? `${from}–${to}` : `เกิน ${from} ถึง ${to}`
}
