/**
 * When a term is sure enough to bring only what a user hides. Pure: the weekly job and the benchmark (`--advice`) use the same code (decision 0123).
 *
 * A hide may be about the price or the place, and some hide whatever they are done with. So a term is compared with what else the same user was
 * shown: it must be hidden far oftener than the rest is, and never be wanted.
 */

/** What became of the titles that a term alone brought to one user. */
export type Tally = {
  /** In the report, or kept out of it by an exclusion alone. */
  readonly shown: number
  readonly hidden: number
  readonly excluded: number
  /** Starred by anybody of the team, pursued, or said to be about the keyword. */
  readonly wanted: number
  /** Days on which the hidden ones were hidden. */
  readonly days: number
}

/** What became of all else that AI words alone brought to the same user. */
export type Rest = { readonly shown: number; readonly unwanted: number }

/** Hidden by the user's own hand: fewer are a whim, and exclusions alone say nothing about this user. */
const OWN_HIDES = 3
/** Hidden or excluded together. */
const UNWANTED = 5
/** One sitting is one mood. */
const DAYS = 2
/** Nobody looks at all of them: one in four may stand there unseen. */
const SHARE = 0.75
/** How likely so many would be if the term were like the rest. At .02 somebody who hides all that is done with would be told wrongly twice as often (decision 0123). */
const BY_CHANCE = 0.002

/** Undefined while it is not sure; else how likely chance alone is, smaller is surer. */
export function adviceOn({ shown, hidden, excluded, wanted, days }: Tally, rest: Rest): number | undefined {
  const unwanted = hidden + excluded
  if (wanted > 0 || hidden < OWN_HIDES || unwanted < UNWANTED || days < DAYS || unwanted < SHARE * shown)
    return undefined
  const chance = binomialTail(shown, unwanted, (rest.unwanted + 1) / (rest.shown + 2))
  return chance <= BY_CHANCE ? chance : undefined
}

/** How likely at least `least` of `all` are, each with this probability. */
export function binomialTail(all: number, least: number, probability: number): number {
  if (least <= 0) return 1
  const odds = probability / (1 - probability)
  // From all down to `least`, each from the one before: no factorials.
  let one = probability ** all
  let sum = one
  for (let count = all; count > least; count -= 1) {
    one *= count / (all - count + 1) / odds
    sum += one
  }
  return sum
}
