import { MOST_COMPARED } from '#contract/market/company-params.ts'
import { createRecentList } from '#src/lib/recent-list.ts'

type Names = readonly string[]

const isNames = (value: unknown): value is Names =>
  Array.isArray(value) &&
  value.length >= 2 &&
  value.length <= MOST_COMPARED &&
  value.every((name) => typeof name === 'string' && name !== '')

/** The order of the companies does not matter. */
export const recentComparisons = createRecentList<Names>('tamngan.comparisons', {
  isItem: isNames,
  isSame: (one, other) => one.toSorted().join('||') === other.toSorted().join('||'),
})

export function rememberComparison(names: Names): void {
  if (isNames(names)) recentComparisons.remember(names)
}
