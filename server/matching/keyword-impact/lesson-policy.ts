import { deciders, facetsOf, isFound, type TitleGroup } from './title-groups.ts'

/**
 * Decides which terms act after a user marked some titles as relevant or not, and which title to show next. Pure: the
 * route and the benchmark share this code. Constants were tuned on the half `tune` of drawn keywords (decision 0123).
 * An answer counts only for terms that alone decide its title. The belief about a term is the share of wanted titles
 * among those it decides: a Beta distribution whose prior comes from terms of its kind.
 */

export type LessonTerm = {
  readonly facet: number
  readonly similarity: number
  /** The keyword itself, or the main word of one of its sides. */
  readonly isLiteral: boolean
  /** True if the engine activates it without confirmation. */
  readonly isAuto: boolean
  /** Manual decision, which answers never override. */
  readonly byHand: boolean | undefined
}

export type Answered = { readonly held: readonly number[]; readonly isWanted: boolean }

type Share = { readonly wanted: number; readonly unwanted: number; readonly answers: number }

export type Learned = {
  readonly acts: readonly boolean[]
  readonly shares: readonly Share[]
}

/** Weight of the prior in answers: terms are mostly clearly good or bad, so it is small. */
const PRIOR_ANSWERS = 0.8
const GOOD_FROM = 0.5
const STEPS = Array.from({ length: 40 }, (_, at) => (at + 0.5) / 40)
/** Golden ratio step through the list, so that questions are spread evenly over it. */
const GOLDEN = 0.618

/** Prior share of wanted titles for a term of this kind: means over the terms of the half `tune`. */
function priorShare({ isAuto, isLiteral, facet, similarity }: LessonTerm): number {
  if (facet > 0) return isAuto ? 0.45 : 0.2
  if (isAuto) return isLiteral ? 0.93 : 0.8
  return similarity < 0.7 ? 0.15 : similarity < 0.8 ? 0.33 : 0.45
}

/** The keyword itself always acts; manual decisions are never changed. */
function isFixed({ isLiteral, facet, byHand }: LessonTerm): boolean {
  return byHand !== undefined || (isLiteral && facet === 0)
}

/** Computes the outcome of the answers, in any order. Without answers: engine defaults and manual decisions. */
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
  // Terms are judged in sequence, each given those before it: active terms first, then by number of titles decided.
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
 * Returns the index of the next title: one decided by the term whose misjudgement would cost most. `asked`: indexes
 * already answered or on screen. Undefined if no title would add information.
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
    // Square root, or a single broad term would take all questions.
    const value = Math.sqrt(count) * expectedLoss(shares[index]!, acts[index]!)
    if (value > (best?.value ?? 0)) best = { index, value }
  })
  if (!best) return undefined
  const open = decided[best.index]!.flat().filter((place) => !asked.has(place))
  open.sort((a, b) => a - b)
  return open[Math.floor(((asked.size * GOLDEN + 0.5) % 1) * open.length)]
}

/** Expected distance of the share beyond the threshold on the wrong side. */
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

/** Returns how many titles the acting terms match and the share likely wanted, using the best term of each title. */
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
