import { findDecidingTerms, getKeywordConceptNumbers, isTitleGroupMatched, type TitleGroup } from './title-groups.ts'

/**
 * Decides which terms are active after a user marked some titles as relevant or not, and which title to show next.
 * Pure, because the route and the benchmark share this code. Constants were tuned on the half `tune` of the drawn
 * keywords (decision 0123). An answer counts only for terms that alone decide its title. The estimate for a term is the
 * share of relevant titles among those that it decides: a Beta distribution whose prior comes from terms of the same
 * kind.
 */

export type KeywordTrainingTerm = {
  readonly facet: number
  readonly similarity: number
  /** True for the keyword itself and for the main word of one of its sides. */
  readonly isLiteral: boolean
  readonly isAuto: boolean
  /** The user's manual decision, which answers never override. */
  readonly byHand: boolean | undefined
}

export type AnsweredKeywordTrainingTitle = { readonly termIndexes: readonly number[]; readonly isWanted: boolean }

type Share = { readonly relevant: number; readonly irrelevant: number; readonly answers: number }

export type KeywordTrainingOutcome = {
  readonly acts: readonly boolean[]
  readonly shares: readonly Share[]
}

/** Weight of the prior, in answers. Most terms are clearly good or clearly bad, so the prior weighs little. */
const PRIOR_WEIGHT = 0.8
const MIN_RELEVANT_SHARE = 0.5
const SHARE_GRID = Array.from({ length: 40 }, (_, at) => (at + 0.5) / 40)
/** Step through the list of titles. The golden ratio spreads the questions evenly. */
const GOLDEN_RATIO = 0.618

/** Prior share of relevant titles for a term of this kind. The values are means over the terms of the half `tune`. */
function priorShare({ isAuto, isLiteral, facet, similarity }: KeywordTrainingTerm): number {
  if (facet > 0) return isAuto ? 0.45 : 0.2
  if (isAuto) return isLiteral ? 0.93 : 0.8
  return similarity < 0.7 ? 0.15 : similarity < 0.8 ? 0.33 : 0.45
}

function isFixed({ isLiteral, facet, byHand }: KeywordTrainingTerm): boolean {
  return byHand !== undefined || (isLiteral && facet === 0)
}

/**
 * Computes which terms are active after these answers, in whatever order they were given. Without answers, the defaults
 * of the engine and manual decisions apply.
 */
export function computeKeywordTrainingOutcome(
  terms: readonly KeywordTrainingTerm[],
  groups: readonly TitleGroup[],
  answers: readonly AnsweredKeywordTrainingTitle[],
): KeywordTrainingOutcome {
  const facets = getKeywordConceptNumbers(terms)
  const currentTerms = terms.map(({ facet, byHand, isAuto }) => ({ facet, acts: byHand ?? isAuto }))
  const shareOf = (index: number): Share => {
    const prior = priorShare(terms[index]!)
    const decidingAnswers = answers.filter(
      ({ termIndexes }) =>
        termIndexes.includes(index) && findDecidingTerms(currentTerms, termIndexes, facets).includes(index),
    )
    const relevantCount = decidingAnswers.filter(({ isWanted }) => isWanted).length
    return {
      relevant: prior * PRIOR_WEIGHT + relevantCount,
      irrelevant: (1 - prior) * PRIOR_WEIGHT + decidingAnswers.length - relevantCount,
      answers: decidingAnswers.length,
    }
  }
  const isGood = ({ relevant, irrelevant }: Share) => relevant >= MIN_RELEVANT_SHARE * (relevant + irrelevant)
  // The order matters, because each decision affects the next: active terms first, then those that decide most titles.
  for (const acts of [true, false]) {
    const candidates = currentTerms.flatMap((term, index) =>
      term.acts === acts && !isFixed(terms[index]!) ? [index] : [],
    )
    const counts = countTitlesDecidedByTerm(currentTerms, groups, facets)
    candidates.sort((a, b) => counts[b]! - counts[a]!)
    for (const index of candidates) {
      const share = shareOf(index)
      if (share.answers > 0) currentTerms[index]!.acts = isGood(share)
    }
  }
  return { acts: currentTerms.map(({ acts }) => acts), shares: terms.map((_, index) => shareOf(index)) }
}

export function countTitlesDecidedByTerm(
  terms: readonly { readonly facet: number; readonly acts: boolean }[],
  groups: readonly TitleGroup[],
  facets = getKeywordConceptNumbers(terms),
): number[] {
  const counts = terms.map(() => 0)
  for (const { termIndexes, titleIndexes } of groups)
    for (const index of findDecidingTerms(terms, termIndexes, facets))
      counts[index] = counts[index]! + titleIndexes.length
  return counts
}

/**
 * Returns the index of the next title: one decided by the term whose misjudgement would cost most. `seenTitles`:
 * indexes already answered or on screen. Returns undefined if no title would add information.
 */
export function pickNextKeywordTrainingTitle(
  terms: readonly KeywordTrainingTerm[],
  groups: readonly TitleGroup[],
  { acts, shares }: KeywordTrainingOutcome,
  seenTitles: ReadonlySet<number>,
): number | undefined {
  const facets = getKeywordConceptNumbers(terms)
  const currentTerms = terms.map(({ facet }, index) => ({ facet, acts: acts[index]! }))
  const decided = terms.map((): number[][] => [])
  for (const { termIndexes, titleIndexes } of groups)
    for (const index of findDecidingTerms(currentTerms, termIndexes, facets))
      decided[index]!.push(titleIndexes as number[])
  let best: { index: number; value: number } | undefined
  terms.forEach((term, index) => {
    if (isFixed(term)) return
    const titleLists = decided[index]!
    if (!titleLists.some((titles) => titles.some((title) => !seenTitles.has(title)))) return
    const count = titleLists.reduce((sum, titles) => sum + titles.length, 0)
    // Weigh by the square root of the number of titles, or a single broad term would receive all questions.
    const value = Math.sqrt(count) * expectedLoss(shares[index]!, acts[index]!)
    if (value > (best?.value ?? 0)) best = { index, value }
  })
  if (!best) return undefined
  const openTitles = decided[best.index]!.flat().filter((title) => !seenTitles.has(title))
  openTitles.sort((a, b) => a - b)
  return openTitles[Math.floor(((seenTitles.size * GOLDEN_RATIO + 0.5) % 1) * openTitles.length)]
}

function expectedLoss({ relevant, irrelevant }: Share, acts: boolean): number {
  let loss = 0
  let totalWeight = 0
  for (const share of SHARE_GRID) {
    const weight = share ** (relevant - 1) * (1 - share) ** (irrelevant - 1)
    totalWeight += weight
    loss += weight * Math.max(0, acts ? MIN_RELEVANT_SHARE - share : share - MIN_RELEVANT_SHARE)
  }
  return loss / totalWeight
}

export function estimateKeywordTrainingResult(
  terms: readonly KeywordTrainingTerm[],
  groups: readonly TitleGroup[],
  acts: readonly boolean[],
  { shares }: KeywordTrainingOutcome,
): { finds: number; right: number } {
  const facets = getKeywordConceptNumbers(terms)
  const currentTerms = terms.map(({ facet }, index) => ({ facet, acts: acts[index]! }))
  const mean = shares.map(({ relevant, irrelevant }) => relevant / (relevant + irrelevant))
  let finds = 0
  let right = 0
  for (const { termIndexes, titleIndexes } of groups) {
    if (!isTitleGroupMatched(currentTerms, termIndexes, facets)) continue
    finds += titleIndexes.length
    right += titleIndexes.length * Math.max(...termIndexes.filter((index) => acts[index]).map((index) => mean[index]!))
  }
  return { finds, right: finds === 0 ? 0 : right / finds }
}
