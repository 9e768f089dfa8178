import { SIGN_LIMITS } from '#contract/market/odd-signs.ts'
import type { Awarded } from '#server/market/who-wins/awards.ts'
import { monthOf } from '#server/market/who-wins/month-number.ts'
import { yieldToEventLoop } from '#server/platform/engine/deadline.ts'
import {
  type CountedKind,
  type CountedSign,
  isAbove,
  isCompared,
  isNearZero,
  isWin,
  ROWS_A_TURN,
  type SignMethods,
  windowOf,
  Years,
} from './sign-facts.ts'

/** Exclusive upper bound of month numbers. */
const MONTHS = 0x1_0000

type Window = { near: number; beside: number; value: number; readonly companies: Map<number, number> }

/**
 * Counts prices against the reference price per agency, and prices just below the threshold per purchasing unit and
 * month, in one pass over the facts.
 */
export async function countPrices(
  { columns, facts, agencyOf, agencyCount }: Awarded,
  methods: SignMethods,
): Promise<{
  readonly lowDiscount: CountedKind
  readonly aboveReference: CountedKind
  readonly belowBorder: CountedKind
}> {
  const { department, year, value, decidedOn, company } = columns
  const [n, near, above] = [new Int32Array(agencyCount), new Int32Array(agencyCount), new Int32Array(agencyCount)]
  const unitOf = new Int32Array(agencyCount)
  const years = new Years(agencyCount)
  const windows = new Map<number, Window>()
  let [compared, nearZero, around] = [0, 0, 0]
  for (let at = 0; at < facts.length; at += 1) {
    if (at % ROWS_A_TURN === ROWS_A_TURN - 1) await yieldToEventLoop()
    const fact = facts[at]!
    if (!isWin(columns, fact)) continue
    if (isCompared(columns, methods, fact)) {
      const agency = agencyOf[department[fact]!]!
      compared += 1
      unitOf[agency] = department[fact]!
      n[agency] = n[agency]! + 1
      years.add(agency, year[fact]!)
      if (isAbove(columns, fact)) above[agency] = above[agency]! + 1
      else if (isNearZero(columns, fact)) {
        near[agency] = near[agency]! + 1
        nearZero += 1
      }
    }
    const window = windowOf(columns, methods, fact)
    if (window === 0) continue
    around += 1
    const key = department[fact]! * MONTHS + monthOf(decidedOn[fact]!)
    let sums = windows.get(key)
    if (!sums) {
      sums = { near: 0, beside: 0, value: 0, companies: new Map() }
      windows.set(key, sums)
    }
    if (window === 2) sums.beside += 1
    else {
      sums.near += 1
      sums.value += value[fact]!
      sums.companies.set(company[fact]!, (sums.companies.get(company[fact]!) ?? 0) + 1)
    }
  }
  const lowDiscount: CountedSign[] = []
  const aboveReference: CountedSign[] = []
  const usual = compared === 0 ? 0 : nearZero / compared
  let groups = 0
  for (let agency = 0; agency < agencyCount; agency += 1) {
    const all = n[agency]!
    if (all < SIGN_LIMITS.projects) continue
    groups += 1
    const of = { unit: unitOf[agency]!, companies: [], ...years.of(agency), n: all }
    const [low, high] = [near[agency]! / all, above[agency]! / all]
    if (low >= SIGN_LIMITS.nearZeroShare && low - usual >= SIGN_LIMITS.nearZeroAbove)
      lowDiscount.push({ ...of, count: near[agency]!, share: low, usual })
    if (above[agency]! >= SIGN_LIMITS.above && high >= SIGN_LIMITS.aboveShare)
      aboveReference.push({ ...of, count: above[agency]!, share: high })
  }
  const strongest = (a: CountedSign, b: CountedSign) => b.share - a.share || b.n - a.n || a.unit! - b.unit!
  return {
    lowDiscount: { projects: compared, groups, signs: lowDiscount.sort(strongest) },
    aboveReference: { projects: compared, groups, signs: aboveReference.sort(strongest) },
    belowBorder: { projects: around, ...clustersOf(windows) },
  }
}

function clustersOf(windows: ReadonlyMap<number, Window>): Omit<CountedKind, 'projects'> {
  const signs: CountedSign[] = []
  let groups = 0
  for (const [key, { near, beside, value, companies }] of windows) {
    const n = near + beside
    if (n < SIGN_LIMITS.belowBorder) continue
    groups += 1
    if (near < SIGN_LIMITS.belowBorder || near < beside * SIGN_LIMITS.belowTimes) continue
    // Facts are ordered by company, so ties go to the lower company number.
    let [most, ofOne] = [-1, 0]
    for (const [one, count] of companies) if (count > ofOne) [most, ofOne] = [one, count]
    if (ofOne < SIGN_LIMITS.belowOne) continue
    const [unit, month] = [Math.floor(key / MONTHS), key % MONTHS]
    const of = { unit, companies: [most], yearFrom: 0, yearTo: 0, month, ofOne }
    signs.push({ ...of, count: near, n, share: near / n, value, beside, winners: companies.size })
  }
  const strongest = (a: CountedSign, b: CountedSign) =>
    b.ofOne! - a.ofOne! || b.count - a.count || a.unit! - b.unit! || a.month! - b.month!
  return { groups, signs: signs.sort(strongest) }
}
