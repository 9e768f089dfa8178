import type { CompanyRankingCode } from '#contract/report/report-view.ts'
import type { AwardCounts } from './count-awards.ts'
import { computeRankedMedianDiscount } from './discount-bins.ts'

export function takeTop<T>(items: Iterable<T>, limit: number, compare: (a: T, b: T) => number): T[] {
  const top: T[] = []
  for (const item of items) {
    if (top.length === limit && (limit === 0 || compare(item, top[limit - 1]!) >= 0)) continue
    let [low, high] = [0, top.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (compare(item, top[middle]!) < 0) high = middle
      else low = middle + 1
    }
    top.splice(low, 0, item)
    if (top.length > limit) top.pop()
  }
  return top
}

/**
 * Returns the `limit` highest numbers, highest first. Uses a heap, because a page shows twenty of 1.4 million projects
 * and sorting all their ids as strings took seconds.
 */
export function takeHighestNumbers(numbers: ArrayLike<number>, limit: number): number[] {
  const heap: number[] = []
  for (let at = 0; at < numbers.length; at += 1) {
    const candidate = numbers[at]!
    if (heap.length < limit) siftUp(heap, candidate)
    else if (candidate > heap[0]!) replaceLowest(heap, candidate)
  }
  return heap.sort((a, b) => b - a)
}

function siftUp(heap: number[], added: number): void {
  let at = heap.push(added) - 1
  while (at > 0) {
    const parent = (at - 1) >> 1
    if (heap[parent]! <= added) break
    heap[at] = heap[parent]!
    at = parent
  }
  heap[at] = added
}

function replaceLowest(heap: number[], added: number): void {
  let at = 0
  for (;;) {
    let child = 2 * at + 1
    if (child >= heap.length) break
    if (child + 1 < heap.length && heap[child + 1]! < heap[child]!) child += 1
    if (heap[child]! >= added) break
    heap[at] = heap[child]!
    at = child
  }
  heap[at] = added
}

export function getCompanyDiscountRates({ companies, rates }: AwardCounts, company: number): Float64Array {
  const start = companies.rateStarts[company]!
  return rates.subarray(start, start + companies.rated[company]!)
}

export function getWinningCompanyIndexes({ companies: { wins } }: AwardCounts): number[] {
  const winners: number[] = []
  for (let company = 0; company < wins.length; company += 1) if (wins[company]! > 0) winners.push(company)
  return winners
}

export function createCompanyRankComparator(
  counts: AwardCounts,
  rank: CompanyRankingCode,
): (a: number, b: number) => number {
  const { wins, value, lastWin } = counts.companies
  const knownValue = (company: number) => (Number.isNaN(value[company]!) ? -1 : value[company]!)
  const byValue = (a: number, b: number) =>
    knownValue(b) - knownValue(a) || wins[b]! - wins[a]! || lastWin[b]! - lastWin[a]! || a - b
  if (rank === 'value') return byValue
  if (rank === 'wins') return (a, b) => wins[b]! - wins[a]! || byValue(a, b)
  const medians = new Map<number, number>()
  const median = (company: number) => {
    let cached = medians.get(company)
    if (cached === undefined) {
      cached = computeRankedMedianDiscount(getCompanyDiscountRates(counts, company)) ?? Number.NEGATIVE_INFINITY
      medians.set(company, cached)
    }
    return cached
  }
  return (a, b) => {
    const [x, y] = [median(a), median(b)]
    return x === y ? byValue(a, b) : x < y ? 1 : -1
  }
}
