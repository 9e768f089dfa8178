import { MOST_COMPARED } from '#contract/market/company-params.ts'
import { createRecentList } from '#src/lib/recent-list.ts'

/** Company names, as in the address. */
type Names = readonly string[]

const isNames = (value: unknown): value is Names =>
  Array.isArray(value) &&
  value.length >= 2 &&
  value.length <= MOST_COMPARED &&
  value.every((name) => typeof name === 'string' && name !== '')

/** Recent comparisons; order does not matter. */
export const recentComparisons = createRecentList<Names>('tamngan.comparisons', {
  isItem: isNames,
  isSame: (one, other) => one.toSorted().join('||') === other.toSorted().join('||'),
})

/** Remembers a comparison, unless it has too few or too many companies. */
export function rememberComparison(names: Names): void {
  if (isNames(names)) recentComparisons.remember(names)
}
