/**
 * Decides when a term reliably yields only titles that a user hides. Pure, because the weekly job and the benchmark
 * (`--advice`) share this code (decision 0123). A hide may be about price or place, and some users hide everything they
 * have finished with. So a term is compared with everything else shown to the same user: the user must hide its titles
 * far more often, and must never want one of them.
 */

export type TermTitleCounts = {
  /** Number of titles shown in the report or hidden only by an exclusion. */
  readonly shown: number
  readonly hidden: number
  readonly excluded: number
  readonly wanted: number
  readonly days: number
}

export type UnwantedTitleBaseline = { readonly shown: number; readonly unwanted: number }

/** Minimum hides by the user: fewer may be chance, and exclusions alone reveal nothing about this user. */
const MIN_USER_HIDES = 3
const MIN_UNWANTED = 5
/** Minimum number of days on which titles were hidden, because one session may reflect one mood. */
const MIN_DAYS = 2
/** Minimum share of unwanted titles. Not 1, because the user may simply not have viewed one title in four yet. */
const MIN_UNWANTED_SHARE = 0.75
/**
 * Maximum probability under the null hypothesis that the term is like all others. At .02, a user who hides everything
 * finished would get wrong advice twice as often (decision 0123).
 */
const MAX_CHANCE = 0.002

/**
 * Returns the probability that chance explains the hides (smaller is more certain), or undefined if not significant.
 */
export function computeHideCountPValue(
  { shown: titles, hidden, excluded, wanted: wantedTitles, days }: TermTitleCounts,
  baseline: UnwantedTitleBaseline,
): number | undefined {
  const unwanted = hidden + excluded
  if (
    wantedTitles > 0 ||
    hidden < MIN_USER_HIDES ||
    unwanted < MIN_UNWANTED ||
    days < MIN_DAYS ||
    unwanted < MIN_UNWANTED_SHARE * titles
  )
    return undefined
  const chance = computeBinomialTail(titles, unwanted, (baseline.unwanted + 1) / (baseline.shown + 2))
  return chance <= MAX_CHANCE ? chance : undefined
}

/** Returns P(X ≥ `min`) of a binomial distribution with `trials` trials. */
export function computeBinomialTail(trials: number, min: number, probability: number): number {
  if (min <= 0) return 1
  const odds = probability / (1 - probability)
  // Use the recurrence from `trials` down to `min`, which avoids factorials.
  let probabilityOfCount = probability ** trials
  let sum = probabilityOfCount
  for (let count = trials; count > min; count -= 1) {
    probabilityOfCount *= count / (trials - count + 1) / odds
    sum += probabilityOfCount
  }
  return sum
}
