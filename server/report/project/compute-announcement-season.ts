import {
  MIN_PURCHASES_FOR_SEASON,
  PURCHASE_SEASON_MONTHS,
  type PurchaseSeason,
} from '#contract/catalogue/purchase-history.ts'
import { addDays, addMonths, getFiscalYear } from '#contract/thai/thai-date.ts'

const MONTHS = 12
/** Maximum probability that the usual months are a chance result; above it, none are reported. */
const MAX_CHANCE_FOR_MEDIUM = 0.05
const MAX_CHANCE_FOR_HIGH = 0.01
const MIN_YEARS_FOR_HIGH = 3

/**
 * Finds the three months in which a unit usually announces this kind of work (N9). `days` are the first known days of
 * its purchases, as ISO dates; `today` is a Bangkok date.
 */
export function computeAnnouncementSeason(days: readonly string[], today: string): PurchaseSeason {
  const n = days.length
  const years = new Set(days.map(getFiscalYear)).size
  const unknown: PurchaseSeason = { n, years, usual: null }
  if (n < MIN_PURCHASES_FOR_SEASON) return unknown
  const counts = Array.from({ length: MONTHS }, () => 0)
  for (const day of days) counts[Number(day.slice(5, 7)) - 1]! += 1
  const windows = counts.map((_, first) => ({
    first,
    hits: window(first).reduce((sum, month) => sum + counts[month]!, 0),
    middle: counts[(first + 1) % MONTHS]!,
  }))
  const best = windows.reduce((a, b) => (b.hits > a.hits || (b.hits === a.hits && b.middle > a.middle) ? b : a))
  const chance = chanceOf(best.hits, n)
  if (chance >= MAX_CHANCE_FOR_MEDIUM) return unknown
  const certainty =
    years === 1 ? 'one_year' : chance < MAX_CHANCE_FOR_HIGH && years >= MIN_YEARS_FOR_HIGH ? 'high' : 'medium'
  return {
    n,
    years,
    usual: { month: best.first + 1, hits: best.hits, certainty, ...nextWindow(best.first + 1, today) },
  }
}

const window = (first: number) => Array.from({ length: PURCHASE_SEASON_MONTHS }, (_, i) => (first + i) % MONTHS)

/**
 * Upper bound on the probability that any three-month window gets `hits` of `n` evenly spread purchases: twelve windows
 * at a quarter each (Bonferroni), capped at 1.
 */
function chanceOf(hits: number, n: number): number {
  const share = PURCHASE_SEASON_MONTHS / MONTHS
  let probability = 0
  for (let k = hits; k <= n; k += 1)
    probability += Math.exp(logChoose(n, k) + k * Math.log(share) + (n - k) * Math.log(1 - share))
  return Math.min(1, MONTHS * probability)
}

function logChoose(n: number, k: number): number {
  let sum = 0
  for (let i = 1; i <= k; i += 1) sum += Math.log(n - k + i) - Math.log(i)
  return sum
}

function nextWindow(month: number, today: string): { next_from: string; next_to: string } {
  const year = Number(today.slice(0, 4))
  const from = (of: number) => `${of}-${String(month).padStart(2, '0')}-01`
  // A window that began last year may not be over yet.
  const first = [year - 1, year, year + 1].map(from).find((day) => lastOf(day) >= today)!
  return { next_from: first, next_to: lastOf(first) }
}

const lastOf = (first: string) => addDays(addMonths(first, PURCHASE_SEASON_MONTHS), -1)
