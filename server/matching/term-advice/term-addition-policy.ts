/**
 * Decides which terms of wanted projects are worth offering. The learned relevance of a term is the prior of a Beta
 * distribution; each wanted project that contains the term counts for it, each project that the user hid against it.
 */

export type TermAdditionEvidence = {
  /** Expected share of relevant titles, from the model (`meaning/term-gain.ts`). */
  readonly prior: number
  readonly wanted: number
  readonly hidden: number
  readonly monthly: number
}

export type TermAdditionEstimate = { readonly likelyRight: number; readonly gain: number }

/** One wanted project may be wanted for something else in its title. */
const MIN_WANTED = 2
/** The prior counts as much as so many projects. */
const PRIOR_PROJECTS = 4
/** Below this prior, the term names something else that happens to be in the same title. */
const MIN_PRIOR = 0.03
/** Minimum expected share of right titles. A user ticks a term from about this share on. */
const MIN_LIKELY_RIGHT = 0.5
/** A term that adds more a month would bury the report. */
const MAX_MONTHLY = 300

/** Returns the expected gain (right projects a month), or undefined if the evidence does not suffice. */
export function estimateTermAddition({
  prior,
  wanted,
  hidden,
  monthly,
}: TermAdditionEvidence): TermAdditionEstimate | undefined {
  if (wanted < MIN_WANTED || hidden >= wanted || prior < MIN_PRIOR || monthly > MAX_MONTHLY) return undefined
  const likelyRight = (prior * PRIOR_PROJECTS + wanted) / (PRIOR_PROJECTS + wanted + hidden)
  return likelyRight < MIN_LIKELY_RIGHT ? undefined : { likelyRight, gain: likelyRight * monthly }
}
