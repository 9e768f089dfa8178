import { MOST_COMPARED } from '#contract/market/company-params.ts'
import { createRecentList } from '#src/lib/recent-list.ts'

/** Names of companies as the address writes them. */
type Names = readonly string[]

const isNames = (value: unknown): value is Names =>
  Array.isArray(value) &&
  value.length >= 2 &&
  value.length <= MOST_COMPARED &&
  value.every((name) => typeof name === 'string' && name !== '')

/** What was compared lately; the same companies in another order are the same comparison. */
export const recentComparisons = createRecentList<Names>('tamngan.comparisons', {
  isItem: isNames,
  isSame: (one, other) => one.toSorted().join('||') === other.toSorted().join('||'),
})

/** Puts a comparison first; of one company, or of too many, there is none to remember. */
export function rememberComparison(names: Names): void {
  if (isNames(names)) recentComparisons.remember(names)
}
