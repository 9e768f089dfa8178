import { UNUSUAL_AWARD_PATTERN_THRESHOLDS } from '#contract/market/unusual-award-patterns.ts'
import type { AwardSet } from '#server/market/who-wins/award-set.ts'
import { dayToMonthNumber } from '#server/market/who-wins/month-number.ts'
import { yieldToEventLoop } from '#server/platform/engine/deadline.ts'
import {
  getThresholdPriceWindow,
  isAboveReferencePrice,
  isNearReferencePrice,
  isPriceComparable,
  isWinningCompanyFact,
  UNUSUAL_AWARD_PATTERN_ROWS_PER_SLICE,
  type UnusualAwardPatternFinding,
  type UnusualAwardPatternKindResult,
  type UnusualAwardPatternMethods,
  YearRangesByGroup,
} from './sign-facts.ts'

const MONTH_RANGE = 0x1_0000

/**
 * Purchases of one unit in one month. Facts arrive grouped by company, so one counter (`ofCompany`, for `company`) finds
 * the largest company without a map.
 */
type WindowCounts = {
  near: number
  comparison: number
  value: number
  winners: number
  company: number
  ofCompany: number
  topCompany: number
  ofTop: number
}

/**
 * Counts prices against the reference price per agency, and prices just below the threshold per purchasing unit and
 * month, in a single pass over the facts.
 */
export async function countPriceUnusualAwardPatterns(
  { columns, facts, agencyOf, agencyCount }: AwardSet,
  methods: UnusualAwardPatternMethods,
): Promise<{
  readonly lowDiscount: UnusualAwardPatternKindResult
  readonly aboveReference: UnusualAwardPatternKindResult
  readonly belowBorder: UnusualAwardPatternKindResult
}> {
  const { department, year, value, decidedOn, company } = columns
  const [n, near, above] = [new Int32Array(agencyCount), new Int32Array(agencyCount), new Int32Array(agencyCount)]
  const unitOf = new Int32Array(agencyCount)
  const years = new YearRangesByGroup(agencyCount)
  const windows = new Map<number, WindowCounts>()
  let [compared, nearZero, around] = [0, 0, 0]
  for (let at = 0; at < facts.length; at += 1) {
    if (at % UNUSUAL_AWARD_PATTERN_ROWS_PER_SLICE === UNUSUAL_AWARD_PATTERN_ROWS_PER_SLICE - 1) await yieldToEventLoop()
    const fact = facts[at]!
    if (!isWinningCompanyFact(columns, fact)) continue
    if (isPriceComparable(columns, methods, fact)) {
      const agency = agencyOf[department[fact]!]!
      compared += 1
      unitOf[agency] = department[fact]!
      n[agency] = n[agency]! + 1
      years.add(agency, year[fact]!)
      if (isAboveReferencePrice(columns, fact)) above[agency] = above[agency]! + 1
      else if (isNearReferencePrice(columns, fact)) {
        near[agency] = near[agency]! + 1
        nearZero += 1
      }
    }
    const window = getThresholdPriceWindow(columns, methods, fact)
    if (window === 0) continue
    around += 1
    const key = department[fact]! * MONTH_RANGE + dayToMonthNumber(decidedOn[fact]!)
    let sums = windows.get(key)
    if (!sums) {
      sums = {
        near: 0,
        comparison: 0,
        value: 0,
        winners: 0,
        company: -1,
        ofCompany: 0,
        topCompany: -1,
        ofTop: 0,
      }
      windows.set(key, sums)
    }
    if (window === 2) sums.comparison += 1
    else {
      sums.near += 1
      sums.value += value[fact]!
      addWinner(sums, company[fact]!)
    }
  }
  const lowDiscount: UnusualAwardPatternFinding[] = []
  const aboveReference: UnusualAwardPatternFinding[] = []
  const usual = compared === 0 ? 0 : nearZero / compared
  let groups = 0
  for (let agency = 0; agency < agencyCount; agency += 1) {
    const agencyTotal = n[agency]!
    if (agencyTotal < UNUSUAL_AWARD_PATTERN_THRESHOLDS.projects) continue
    groups += 1
    const of = { unit: unitOf[agency]!, companies: [], ...years.of(agency), n: agencyTotal }
    const [low, high] = [near[agency]! / agencyTotal, above[agency]! / agencyTotal]
    if (
      low >= UNUSUAL_AWARD_PATTERN_THRESHOLDS.nearZeroShare &&
      low - usual >= UNUSUAL_AWARD_PATTERN_THRESHOLDS.nearZeroAbove
    )
      lowDiscount.push({ ...of, count: near[agency]!, share: low, usual })
    if (above[agency]! >= UNUSUAL_AWARD_PATTERN_THRESHOLDS.above && high >= UNUSUAL_AWARD_PATTERN_THRESHOLDS.aboveShare)
      aboveReference.push({ ...of, count: above[agency]!, share: high })
  }
  const strongest = (a: UnusualAwardPatternFinding, b: UnusualAwardPatternFinding) =>
    b.share - a.share || b.n - a.n || a.unit! - b.unit!
  return {
    lowDiscount: { projects: compared, groups, signs: lowDiscount.sort(strongest) },
    aboveReference: { projects: compared, groups, signs: aboveReference.sort(strongest) },
    belowBorder: { projects: around, ...findClusters(windows) },
  }
}

function addWinner(sums: WindowCounts, company: number): void {
  if (sums.company !== company) {
    sums.winners += 1
    sums.company = company
    sums.ofCompany = 0
  }
  sums.ofCompany += 1
  if (sums.ofCompany <= sums.ofTop) return
  sums.topCompany = company
  sums.ofTop = sums.ofCompany
}

function findClusters(windows: ReadonlyMap<number, WindowCounts>): Omit<UnusualAwardPatternKindResult, 'projects'> {
  const signs: UnusualAwardPatternFinding[] = []
  let groups = 0
  for (const [key, { near, comparison, value, winners, topCompany, ofTop: ofOne }] of windows) {
    const n = near + comparison
    if (n < UNUSUAL_AWARD_PATTERN_THRESHOLDS.belowBorder) continue
    groups += 1
    if (
      near < UNUSUAL_AWARD_PATTERN_THRESHOLDS.belowBorder ||
      near < comparison * UNUSUAL_AWARD_PATTERN_THRESHOLDS.belowTimes
    )
      continue
    if (ofOne < UNUSUAL_AWARD_PATTERN_THRESHOLDS.belowOne) continue
    const [unit, month] = [Math.floor(key / MONTH_RANGE), key % MONTH_RANGE]
    const of = { unit, companies: [topCompany], yearFrom: 0, yearTo: 0, month, ofOne }
    signs.push({ ...of, count: near, n, share: near / n, value, comparison, winners })
  }
  const strongest = (a: UnusualAwardPatternFinding, b: UnusualAwardPatternFinding) =>
    b.ofOne! - a.ofOne! || b.count - a.count || a.unit! - b.unit! || a.month! - b.month!
  return { groups, signs: signs.sort(strongest) }
}
