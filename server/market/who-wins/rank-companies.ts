import type { WinRank } from '#contract/report/report-view.ts'
import type { CountedAwards } from './count-awards.ts'
import { rankedMedianOf } from './discounts.ts'

/** Returns the first `most` items in sort order without sorting the rest. */
export function topOf<T>(all: Iterable<T>, most: number, compare: (a: T, b: T) => number): T[] {
  const top: T[] = []
  for (const one of all) {
    if (top.length === most && (most === 0 || compare(one, top[most - 1]!) >= 0)) continue
    let [low, high] = [0, top.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (compare(one, top[middle]!) < 0) high = middle
      else low = middle + 1
    }
    top.splice(low, 0, one)
    if (top.length > most) top.pop()
  }
  return top
}

/**
 * Returns the `most` highest numbers, highest first. Uses a heap: a page shows twenty of 1.4 million projects, and
 * sorting them all as texts took seconds.
 */
export function highest(all: Iterable<number>, most: number): number[] {
  const heap: number[] = []
  for (const one of all) {
    if (heap.length < most) raise(heap, one)
    else if (one > heap[0]!) replaceLowest(heap, one)
  }
  return heap.sort((a, b) => b - a)
}

function raise(heap: number[], added: number): void {
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

export function ratesOf({ companies, rates }: CountedAwards, company: number): Float64Array {
  const start = companies.rateStarts[company]!
  return rates.subarray(start, start + companies.rated[company]!)
}

export function winnersOf({ companies: { wins } }: CountedAwards): number[] {
  const winners: number[] = []
  for (let company = 0; company < wins.length; company += 1) if (wins[company]! > 0) winners.push(company)
  return winners
}

/** Compares two companies, better first; ties by number, so that results are deterministic. */
export function rankOf(counted: CountedAwards, rank: WinRank): (a: number, b: number) => number {
  const { wins, value, last } = counted.companies
  const worth = (company: number) => (Number.isNaN(value[company]!) ? -1 : value[company]!)
  const byValue = (a: number, b: number) => worth(b) - worth(a) || wins[b]! - wins[a]! || last[b]! - last[a]! || a - b
  if (rank === 'value') return byValue
  if (rank === 'wins') return (a, b) => wins[b]! - wins[a]! || byValue(a, b)
  const medians = new Map<number, number>()
  const median = (company: number) => {
    let known = medians.get(company)
    if (known === undefined) {
      // Companies with too few discounts rank last.
      known = rankedMedianOf(ratesOf(counted, company)) ?? Number.NEGATIVE_INFINITY
      medians.set(company, known)
    }
    return known
  }
  return (a, b) => {
    const [x, y] = [median(a), median(b)]
    return x === y ? byValue(a, b) : x < y ? 1 : -1
  }
}
