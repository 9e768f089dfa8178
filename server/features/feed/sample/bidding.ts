import type { SampleCompanies, SampleCompany } from './companies.ts'
import type { ProjectPlan } from './project-plan.ts'
import { quantile, type Random } from './seeded-random.ts'
import { roadOf } from './timeline.ts'

/** One offer; prices are whole satang. */
export type Bid = { readonly company: SampleCompany; readonly satang: number }

// Share below the reference price, measured on e-biddings of fiscal year 2568: median 2.6 %, p75 10.9 %, p95 33.6 %, 1 % above.
const OPEN_DISCOUNT = [
  [0, -0.035],
  [0.01, -0.0005],
  [0.012, 0],
  [0.25, 0.0035],
  [0.5, 0.026],
  [0.75, 0.109],
  [0.95, 0.336],
  [1, 0.52],
] as const
// With few or one invited offer hardly anything comes off: median 0.3 %, p75 1.3 %, p95 15 %.
const INVITED_DISCOUNT = [
  [0, 0],
  [0.25, 0.0003],
  [0.5, 0.003],
  [0.75, 0.013],
  [0.95, 0.15],
  [1, 0.32],
] as const

/** The offers for a project, best first. The more bidders, the deeper the winning price. */
export function bidsFor(random: Random, plan: ProjectPlan, estimateSatang: number, companies: SampleCompanies): Bid[] {
  const road = roadOf(plan.method)
  const depth = random.next()
  const discount = quantile(road === 'open' ? OPEN_DISCOUNT : INVITED_DISCOUNT, depth)
  const bidders = distinctCompanies(random, plan, companies, bidderCount(random, road, depth))
  let satang = roundBid(random, estimateSatang * (1 - discount), plan.budget)
  return bidders.map((company, place) => {
    if (place > 0) satang = roundBid(random, satang * (1.002 + random.next() * (0.012 + discount * 0.22)), plan.budget)
    return { company, satang }
  })
}

function bidderCount(random: Random, road: string, depth: number): number {
  if (road === 'specific') return 1
  if (road === 'selective') return random.int(1, 3)
  const crowd = depth * 0.7 + random.next() * 0.5
  if (crowd < 0.28) return 1
  if (crowd < 0.48) return 2
  if (crowd < 0.66) return 3
  return crowd < 0.95 ? random.int(4, 6) : random.int(6, 14)
}

function distinctCompanies(
  random: Random,
  plan: ProjectPlan,
  companies: SampleCompanies,
  count: number,
): SampleCompany[] {
  const chosen = new Set<SampleCompany>()
  for (let tries = 0; chosen.size < count && tries < count * 6; tries++) {
    chosen.add(companies.pick(random, plan.trade, plan.province))
  }
  return [...chosen]
}

/** Bidders write round sums: to ten, a hundred or a thousand baht, and every seventh to the satang. */
function roundBid(random: Random, satang: number, budget: number): number {
  if (random.chance(0.14)) return Math.round(satang)
  const baht = budget > 5_000_000 ? random.pick([100, 1_000, 1_000, 10_000]) : random.pick([10, 100, 100, 1_000])
  return Math.max(100, Math.floor(satang / (baht * 100)) * baht * 100)
}
