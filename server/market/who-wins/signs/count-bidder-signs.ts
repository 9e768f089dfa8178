import { UNUSUAL_AWARD_PATTERN_THRESHOLDS } from '#contract/market/unusual-award-patterns.ts'
import type { AwardSet } from '#server/market/who-wins/award-set.ts'
import { yieldToEventLoop } from '#server/platform/engine/deadline.ts'
import {
  isKnownBidCompanyFact,
  isWinningCompanyFact,
  UNUSUAL_AWARD_PATTERN_ROWS_PER_SLICE,
  type UnusualAwardPatternFinding,
  type UnusualAwardPatternKindResult,
  type UnusualAwardPatternMethods,
  YearRangesByGroup,
} from './sign-facts.ts'

type BidsByProject = ReadonlyMap<number, readonly number[]>
/** Cache of the known bids of an award set, because a workbook opens forty signs that need them. */
const bidsOf = new WeakMap<AwardSet, Promise<BidsByProject>>()

export function loadKnownBids(awards: AwardSet, methods: UnusualAwardPatternMethods): Promise<BidsByProject> {
  const bids = bidsOf.get(awards) ?? readKnownBids(awards, methods)
  bidsOf.set(awards, bids)
  return bids
}

async function readKnownBids(
  { columns, facts }: AwardSet,
  methods: UnusualAwardPatternMethods,
): Promise<BidsByProject> {
  const bids = new Map<number, number[]>()
  for (let at = 0; at < facts.length; at += 1) {
    if (at % UNUSUAL_AWARD_PATTERN_ROWS_PER_SLICE === UNUSUAL_AWARD_PATTERN_ROWS_PER_SLICE - 1) await yieldToEventLoop()
    const fact = facts[at]!
    if (!isKnownBidCompanyFact(columns, methods, fact)) continue
    const project = columns.project[fact]!
    const projectFacts = bids.get(project)
    if (projectFacts) projectFacts.push(fact)
    else bids.set(project, [fact])
  }
  return bids
}

export function countSingleBidderUnusualAwardPatterns(
  { columns, agencyOf, agencyCount }: AwardSet,
  bids: ReadonlyMap<number, readonly number[]>,
): UnusualAwardPatternKindResult {
  const { department, year } = columns
  const [n, singleBidder, unitOf] = [
    new Int32Array(agencyCount),
    new Int32Array(agencyCount),
    new Int32Array(agencyCount),
  ]
  const years = new YearRangesByGroup(agencyCount)
  for (const facts of bids.values()) {
    const [fact] = facts
    const agency = agencyOf[department[fact!]!]!
    unitOf[agency] = department[fact!]!
    n[agency] = n[agency]! + 1
    years.add(agency, year[fact!]!)
    if (facts.length === 1) singleBidder[agency] = singleBidder[agency]! + 1
  }
  const signs: UnusualAwardPatternFinding[] = []
  let groups = 0
  for (let agency = 0; agency < agencyCount; agency += 1) {
    if (n[agency]! < UNUSUAL_AWARD_PATTERN_THRESHOLDS.projects) continue
    groups += 1
    const share = singleBidder[agency]! / n[agency]!
    if (share < UNUSUAL_AWARD_PATTERN_THRESHOLDS.oneBidderShare) continue
    signs.push({
      unit: unitOf[agency]!,
      companies: [],
      ...years.of(agency),
      count: singleBidder[agency]!,
      n: n[agency]!,
      share,
    })
  }
  signs.sort((a, b) => b.share - a.share || b.n - a.n || a.unit! - b.unit!)
  return { projects: bids.size, groups, signs }
}

type PairMeetings = { n: number; lower: number; higher: number; yearFrom: number; yearTo: number }

/**
 * Finds pairs of companies that repeatedly bid for the same projects, and counts who won. A project that both or
 * neither of them won counts as a win for neither.
 */
export async function countRecurringPairUnusualAwardPatterns(
  { columns }: AwardSet,
  bids: ReadonlyMap<number, readonly number[]>,
): Promise<UnusualAwardPatternKindResult> {
  const { company, year } = columns
  const count = columns.companyIds.length
  const bidCounts = new Int32Array(count)
  for (const facts of bids.values())
    for (const fact of facts) bidCounts[company[fact]!] = bidCounts[company[fact]!]! + 1
  const pairs = new Map<number, PairMeetings>()
  let comparedPairs = 0
  for (const facts of bids.values()) {
    const often = facts.filter((fact) => bidCounts[company[fact]!]! >= UNUSUAL_AWARD_PATTERN_THRESHOLDS.meetings)
    for (const [at, lower] of often.entries())
      for (const higher of often.slice(at + 1)) {
        const key = company[lower]! * count + company[higher]!
        let meeting = pairs.get(key)
        if (!meeting) {
          meeting = { n: 0, lower: 0, higher: 0, yearFrom: 0, yearTo: 0 }
          pairs.set(key, meeting)
        }
        meeting.n += 1
        const [lowerWon, higherWon] = [isWinningCompanyFact(columns, lower), isWinningCompanyFact(columns, higher)]
        if (lowerWon && !higherWon) meeting.lower += 1
        if (higherWon && !lowerWon) meeting.higher += 1
        const fiscal = year[lower]!
        if (fiscal > 0 && (meeting.yearFrom === 0 || fiscal < meeting.yearFrom)) meeting.yearFrom = fiscal
        if (fiscal > meeting.yearTo) meeting.yearTo = fiscal
      }
    comparedPairs += often.length * often.length
    if (comparedPairs > UNUSUAL_AWARD_PATTERN_ROWS_PER_SLICE) {
      comparedPairs = 0
      await yieldToEventLoop()
    }
  }
  const signs: UnusualAwardPatternFinding[] = []
  let groups = 0
  for (const [key, { n, lower, higher, yearFrom, yearTo }] of pairs) {
    if (n < UNUSUAL_AWARD_PATTERN_THRESHOLDS.meetings) continue
    groups += 1
    const wins = Math.max(lower, higher)
    if (wins / n < UNUSUAL_AWARD_PATTERN_THRESHOLDS.meetingsShare) continue
    const two = [Math.floor(key / count), key % count]
    const companies = lower >= higher ? two : two.reverse()
    signs.push({ companies, yearFrom, yearTo, count: wins, n, share: wins / n })
  }
  signs.sort(
    (a, b) => b.n - a.n || b.share - a.share || a.companies[0]! - b.companies[0]! || a.companies[1]! - b.companies[1]!,
  )
  return { projects: bids.size, groups, signs }
}
