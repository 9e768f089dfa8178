/**
 * Decides when a term reliably yields only titles that a user hides. Pure: the weekly job and the benchmark
 * (`--advice`) share it (decision 0123).
 * A hide may be about price or place, and some users hide everything they have finished with. So a term is compared
 * with everything else shown to the same user: it must be hidden far more often, and never be wanted.
 */

export type Tally = {
  /** In the report, or hidden only by an exclusion. */
  readonly shown: number
  readonly hidden: number
  readonly excluded: number
  readonly wanted: number
  readonly days: number
}

export type Rest = { readonly shown: number; readonly unwanted: number }

/** Minimum hides by the user: fewer are chance, and exclusions alone reveal nothing about this user. */
const OWN_HIDES = 3
const UNWANTED = 5
/** Minimum number of days, because one session reflects one mood. */
const DAYS = 2
/** Minimum unwanted share: one title in four may simply not have been viewed yet. */
const SHARE = 0.75
/**
 * Maximum probability under the null hypothesis that the term is like the rest. At .02, a user who hides everything
 * finished would get wrong advice twice as often (decision 0123).
 */
const BY_CHANCE = 0.002

/** Returns the probability of chance (smaller is more certain), or undefined if not significant. */
export function adviceOn({ shown, hidden, excluded, wanted, days }: Tally, rest: Rest): number | undefined {
  const unwanted = hidden + excluded
  if (wanted > 0 || hidden < OWN_HIDES || unwanted < UNWANTED || days < DAYS || unwanted < SHARE * shown)
    return undefined
  const chance = binomialTail(shown, unwanted, (rest.unwanted + 1) / (rest.shown + 2))
  return chance <= BY_CHANCE ? chance : undefined
}

/** Returns P(X ≥ `least`) of a binomial distribution with `all` trials. */
export function binomialTail(all: number, least: number, probability: number): number {
  if (least <= 0) return 1
  const odds = probability / (1 - probability)
  // Recurrence from `all` down to `least`, avoiding factorials.
  let one = probability ** all
  let sum = one
  for (let count = all; count > least; count -= 1) {
    one *= count / (all - count + 1) / odds
    sum += one
  }
  return sum
}
