import { deciders, facetsOf, isFound, type TitleGroup } from './title-groups.ts'

/**
 * Which terms act after a person said of some titles whether they are about the keyword, and which title to ask next. Pure: the route and
 * the benchmark use the same code. Its numbers were chosen on the half `tune` of drawn keywords (decision 0123).
 *
 * An answer counts for the terms that alone decide its title, and for no other. What is believed of a term is the share of wanted titles
 * among those that it decides: a Beta distribution that begins with what terms of its kind turned out to be.
 */

export type LessonTerm = {
  readonly facet: number
  readonly similarity: number
  /** The keyword itself or the own word of one of its sides. */
  readonly isLiteral: boolean
  /** Whether the engine lets it act unasked. */
  readonly isAuto: boolean
  /** A person's tick, which answers do not turn. */
  readonly byHand: boolean | undefined
}

export type Answered = { readonly held: readonly number[]; readonly isWanted: boolean }

type Share = { readonly wanted: number; readonly unwanted: number; readonly answers: number }

export type Learned = {
  readonly acts: readonly boolean[]
  /** Of each term, what is believed of the titles that it decides. */
  readonly shares: readonly Share[]
}

/** How many answers the belief before any answer is worth: terms are mostly good or bad, so little. */
const PRIOR_ANSWERS = 0.8
/** A term acts when at least half of what it decides is wanted. */
const GOOD_FROM = 0.5
/** Of steps in the share, for sums over its distribution. */
const STEPS = Array.from({ length: 40 }, (_, at) => (at + 0.5) / 40)
/** From one question to the next by this part of the list, so that titles come from all over it. */
const GOLDEN = 0.618

/** Which share of the titles of a term of this kind was wanted, means over the terms of the half `tune`. */
function priorShare({ isAuto, isLiteral, facet, similarity }: LessonTerm): number {
  if (facet > 0) return isAuto ? 0.45 : 0.2
  if (isAuto) return isLiteral ? 0.93 : 0.8
  return similarity < 0.7 ? 0.15 : similarity < 0.8 ? 0.33 : 0.45
}

/** The keyword itself always acts; what was ticked by hand stays. */
function isFixed({ isLiteral, facet, byHand }: LessonTerm): boolean {
  return byHand !== undefined || (isLiteral && facet === 0)
}

/** What follows from the answers, in any order. Without answers: what the engine and the ticks say. */
export function learn(
  terms: readonly LessonTerm[],
  groups: readonly TitleGroup[],
  answers: readonly Answered[],
): Learned {
  const facets = facetsOf(terms)
  const now = terms.map(({ facet, byHand, isAuto }) => ({ facet, acts: byHand ?? isAuto }))
  const shareOf = (index: number): Share => {
    const prior = priorShare(terms[index]!)
    const own = answers.filter(({ held }) => held.includes(index) && deciders(now, held, facets).includes(index))
    const wanted = own.filter(({ isWanted }) => isWanted).length
    return {
      wanted: prior * PRIOR_ANSWERS + wanted,
      unwanted: (1 - prior) * PRIOR_ANSWERS + own.length - wanted,
      answers: own.length,
    }
  }
  const isGood = ({ wanted, unwanted }: Share) => wanted >= GOOD_FROM * (wanted + unwanted)
  // Each is judged beside those before it: what brings the most comes first, what acts before what waits.
  for (const acts of [true, false]) {
    const own = now.flatMap((term, index) => (term.acts === acts && !isFixed(terms[index]!) ? [index] : []))
    const counts = countDecided(now, groups, facets)
    own.sort((one, other) => counts[other]! - counts[one]!)
    for (const index of own) {
      const share = shareOf(index)
      if (share.answers > 0) now[index]!.acts = isGood(share)
    }
  }
  return { acts: now.map(({ acts }) => acts), shares: terms.map((_, index) => shareOf(index)) }
}

/** Of each term, how many titles it decides. */
export function countDecided(
  terms: readonly { readonly facet: number; readonly acts: boolean }[],
  groups: readonly TitleGroup[],
  facets = facetsOf(terms),
): number[] {
  const counts = terms.map(() => 0)
  for (const { held, places } of groups)
    for (const index of deciders(terms, held, facets)) counts[index] = counts[index]! + places.length
  return counts
}

/**
 * The place of the title to ask next: one that is decided by the term of which a wrong belief would cost the most. `asked`: places that
 * were answered or stand on the screen. Undefined when no title could teach anything.
 */
export function nextPlace(
  terms: readonly LessonTerm[],
  groups: readonly TitleGroup[],
  { acts, shares }: Learned,
  asked: ReadonlySet<number>,
): number | undefined {
  const facets = facetsOf(terms)
  const now = terms.map(({ facet }, index) => ({ facet, acts: acts[index]! }))
  const decided = terms.map((): number[][] => [])
  for (const { held, places } of groups)
    for (const index of deciders(now, held, facets)) decided[index]!.push(places as number[])
  let best: { index: number; value: number } | undefined
  terms.forEach((term, index) => {
    if (isFixed(term)) return
    const places = decided[index]!
    if (!places.some((own) => own.some((place) => !asked.has(place)))) return
    const count = places.reduce((sum, own) => sum + own.length, 0)
    // The root: else a single broad term takes all the questions.
    const value = Math.sqrt(count) * expectedLoss(shares[index]!, acts[index]!)
    if (value > (best?.value ?? 0)) best = { index, value }
  })
  if (!best) return undefined
  const open = decided[best.index]!.flat().filter((place) => !asked.has(place))
  open.sort((a, b) => a - b)
  return open[Math.floor(((asked.size * GOLDEN + 0.5) % 1) * open.length)]
}

/** By how much the share lies on the wrong side, on average. */
function expectedLoss({ wanted, unwanted }: Share, acts: boolean): number {
  let loss = 0
  let all = 0
  for (const share of STEPS) {
    const weight = share ** (wanted - 1) * (1 - share) ** (unwanted - 1)
    all += weight
    loss += weight * Math.max(0, acts ? GOOD_FROM - share : share - GOOD_FROM)
  }
  return loss / all
}

/** How many titles the acting terms find, and which part of them is likely wanted: of each title what is believed of its best term. */
export function estimate(
  terms: readonly LessonTerm[],
  groups: readonly TitleGroup[],
  acts: readonly boolean[],
  { shares }: Learned,
): { finds: number; right: number } {
  const facets = facetsOf(terms)
  const now = terms.map(({ facet }, index) => ({ facet, acts: acts[index]! }))
  const mean = shares.map(({ wanted, unwanted }) => wanted / (wanted + unwanted))
  let finds = 0
  let right = 0
  for (const { held, places } of groups) {
    if (!isFound(now, held, facets)) continue
    finds += places.length
    right += places.length * Math.max(...held.filter((index) => acts[index]).map((index) => mean[index]!))
  }
  return { finds, right: finds === 0 ? 0 : right / finds }
}
