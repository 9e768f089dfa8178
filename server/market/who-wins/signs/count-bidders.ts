import { SIGN_LIMITS } from '#contract/market/odd-signs.ts'
import type { Awarded } from '#server/market/who-wins/awards.ts'
import { yieldToEventLoop } from '#server/platform/engine/deadline.ts'
import {
  type CountedKind,
  type CountedSign,
  isKnownBid,
  isWin,
  ROWS_A_TURN,
  type SignMethods,
  Years,
} from './sign-facts.ts'

type KnownBids = ReadonlyMap<number, readonly number[]>
/** Cached per query: a workbook opens forty signs that need them. */
const bidsOf = new WeakMap<Awarded, Promise<KnownBids>>()

/** Facts by project number, for projects with bidder lists. */
export function knownBidsOf(awards: Awarded, methods: SignMethods): Promise<KnownBids> {
  const bids = bidsOf.get(awards) ?? readKnownBids(awards, methods)
  bidsOf.set(awards, bids)
  return bids
}

async function readKnownBids({ columns, facts }: Awarded, methods: SignMethods): Promise<KnownBids> {
  const bids = new Map<number, number[]>()
  for (let at = 0; at < facts.length; at += 1) {
    if (at % ROWS_A_TURN === ROWS_A_TURN - 1) await yieldToEventLoop()
    const fact = facts[at]!
    if (!isKnownBid(columns, methods, fact)) continue
    const project = columns.project[fact]!
    const known = bids.get(project)
    if (known) known.push(fact)
    else bids.set(project, [fact])
  }
  return bids
}

export function countOneBidder(
  { columns, agencyOf, agencyCount }: Awarded,
  bids: ReadonlyMap<number, readonly number[]>,
): CountedKind {
  const { department, year } = columns
  const [n, one, unitOf] = [new Int32Array(agencyCount), new Int32Array(agencyCount), new Int32Array(agencyCount)]
  const years = new Years(agencyCount)
  for (const facts of bids.values()) {
    const [fact] = facts
    const agency = agencyOf[department[fact!]!]!
    unitOf[agency] = department[fact!]!
    n[agency] = n[agency]! + 1
    years.add(agency, year[fact!]!)
    if (facts.length === 1) one[agency] = one[agency]! + 1
  }
  const signs: CountedSign[] = []
  let groups = 0
  for (let agency = 0; agency < agencyCount; agency += 1) {
    if (n[agency]! < SIGN_LIMITS.projects) continue
    groups += 1
    const share = one[agency]! / n[agency]!
    if (share < SIGN_LIMITS.oneBidderShare) continue
    signs.push({ unit: unitOf[agency]!, companies: [], ...years.of(agency), count: one[agency]!, n: n[agency]!, share })
  }
  signs.sort((a, b) => b.share - a.share || b.n - a.n || a.unit! - b.unit!)
  return { projects: bids.size, groups, signs }
}

type Meeting = { n: number; lower: number; higher: number; yearFrom: number; yearTo: number }

/**
 * Finds pairs of companies that repeatedly bid for the same projects, and counts who won. A project that both or
 * neither won counts for neither.
 */
export async function countSameTwo(
  { columns }: Awarded,
  bids: ReadonlyMap<number, readonly number[]>,
): Promise<CountedKind> {
  const { company, year } = columns
  const count = columns.companyIds.length
  const own = new Int32Array(count)
  for (const facts of bids.values()) for (const fact of facts) own[company[fact]!] = own[company[fact]!]! + 1
  const pairs = new Map<number, Meeting>()
  let done = 0
  for (const facts of bids.values()) {
    // Companies with fewer bids cannot reach the meeting threshold.
    const often = facts.filter((fact) => own[company[fact]!]! >= SIGN_LIMITS.meetings)
    for (const [at, lower] of often.entries())
      for (const higher of often.slice(at + 1)) {
        const key = company[lower]! * count + company[higher]!
        let meeting = pairs.get(key)
        if (!meeting) {
          meeting = { n: 0, lower: 0, higher: 0, yearFrom: 0, yearTo: 0 }
          pairs.set(key, meeting)
        }
        meeting.n += 1
        const [one, other] = [isWin(columns, lower), isWin(columns, higher)]
        if (one && !other) meeting.lower += 1
        if (other && !one) meeting.higher += 1
        const fiscal = year[lower]!
        if (fiscal > 0 && (meeting.yearFrom === 0 || fiscal < meeting.yearFrom)) meeting.yearFrom = fiscal
        if (fiscal > meeting.yearTo) meeting.yearTo = fiscal
      }
    done += often.length * often.length
    if (done > ROWS_A_TURN) {
      done = 0
      await yieldToEventLoop()
    }
  }
  const signs: CountedSign[] = []
  let groups = 0
  for (const [key, { n, lower, higher, yearFrom, yearTo }] of pairs) {
    if (n < SIGN_LIMITS.meetings) continue
    groups += 1
    const wins = Math.max(lower, higher)
    if (wins / n < SIGN_LIMITS.meetingsShare) continue
    const two = [Math.floor(key / count), key % count]
    const companies = lower >= higher ? two : two.reverse()
    signs.push({ companies, yearFrom, yearTo, count: wins, n, share: wins / n })
  }
  signs.sort(
    (a, b) => b.n - a.n || b.share - a.share || a.companies[0]! - b.companies[0]! || a.companies[1]! - b.companies[1]!,
  )
  return { projects: bids.size, groups, signs }
}
