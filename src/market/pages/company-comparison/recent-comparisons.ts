import { MAX_COMPARED_COMPANIES } from '#contract/market/company-params.ts'
import { createRecentList } from '#src/lib/recent-list.ts'

type Names = readonly string[]

const isNames = (value: unknown): value is Names =>
  Array.isArray(value) &&
  value.length >= 2 &&
  value.length <= MAX_COMPARED_COMPANIES &&
  value.every((name) => typeof name === 'string' && name !== '')

export const recentComparisonList = createRecentList<Names>('tamngan.comparisons', {
  isItem: isNames,
  isSame: (a, b) => a.toSorted().join('||') === b.toSorted().join('||'),
})
