import { NEAR_DEADLINE_KINDS, type NearDeadlineKind } from '#contract/catalogue/bid-state.ts'
import type { ReportFilterName } from '#contract/report/report-params.ts'
import type { FacetCounts, MarkFacetCounts } from '#server/report/report-queries.ts'
import {
  countProjectFacets,
  countProjectFacetsBySubtraction,
  countReportTabProjectFacets,
  type FactCounts,
} from './count-project-facets.ts'
import type { EngineFilterSet } from './engine-filter-set.ts'
import { countMarkedProjectMatches, type FailedFilterConditions } from './failed-filter-conditions.ts'
import { computeFailedFilterConditions } from './failure-masks.ts'
import type { InMemoryReportQuery } from './in-memory-report-query.ts'

type SetCounts = { readonly ofAll: FactCounts; readonly ofOne: ReadonlyMap<ReportFilterName, FactCounts> }

/**
 * Counts the passing matches and, per filter in `counted`, those that fail only it. In a large tab, the largest
 * set is computed by subtracting the others from the cached counts of the whole tab: without filters nothing is
 * scanned, with one filter only the smaller set.
 */
async function countSets(
  query: InMemoryReportQuery,
  { failed, isOut, names, passing, failingOnly }: FailedFilterConditions,
  counted: ReadonlySet<ReportFilterName>,
): Promise<SetCounts> {
  const sets = [
    { number: 0, places: passing },
    ...failingOnly
      .map((positions, i) => ({ number: i + 1, places: positions }))
      .filter((_, i) => counted.has(names[i]!)),
  ]
  const largest = sets.reduce((largestSoFar, set) =>
    set.places.length > largestSoFar.places.length ? set : largestSoFar,
  )
  const wholeTabCounts =
    largest.places.length * 2 > failed.length ? await countReportTabProjectFacets(query) : undefined
  const counts = new Map<number, FactCounts>()
  for (const { number, places: positions } of sets)
    if (!wholeTabCounts || number !== largest.number) counts.set(number, await countProjectFacets(query, positions))
  if (wholeTabCounts) {
    const isInSet = Uint8Array.from({ length: 256 }, (_, number) => Number(sets.some((set) => set.number === number)))
    const remainingPositions = positionsWhere(
      failed.length,
      (position) => isOut[position] === 1 || isInSet[failed[position]!] === 0,
    )
    counts.set(
      largest.number,
      await countProjectFacetsBySubtraction(query, wholeTabCounts, [...counts.values()], remainingPositions),
    )
  }
  return {
    ofAll: counts.get(0)!,
    ofOne: new Map(sets.slice(1).map(({ number }) => [names[number - 1]!, counts.get(number)!])),
  }
}

function positionsWhere(length: number, test: (position: number) => boolean): Int32Array {
  const positions = new Int32Array(length)
  let size = 0
  for (let position = 0; position < length; position += 1) if (test(position)) positions[size++] = position
  return positions.subarray(0, size)
}

/**
 * Counts every facet: a match that passes all filters counts in every facet, a match that fails one filter only in that
 * filter's facet. Same result as `countFacets`.
 */
export async function countMatchFacets(
  query: InMemoryReportQuery,
  failed: FailedFilterConditions,
  filters: EngineFilterSet,
): Promise<FacetCounts> {
  const { names, passing, failingOnly } = failed
  const { ofAll, ofOne } = await countSets(query, failed, filters.columnFacetNames)
  const parts = (...failing: ReportFilterName[]) =>
    [ofAll, ...failing.map((name) => ofOne.get(name))].filter((part) => part !== undefined)
  const dueOf = (kind: NearDeadlineKind) =>
    parts(...filters.deadlineFilters[kind]).reduce((sum, { due }) => sum + due[NEAR_DEADLINE_KINDS.indexOf(kind)]!, 0)
  return {
    ...filters.countColumnFacets((name, facet) => facet.countParts(parts(name), query)),
    due: { closing: dueOf('closing'), comment: dueOf('comment') },
    passingBut: filters.countPassingBut((name) => passing.length + (failingOnly[names.indexOf(name)]?.length ?? 0)),
  }
}

export async function countMarkFacets(
  query: InMemoryReportQuery,
  failed: FailedFilterConditions,
  endingQuery: InMemoryReportQuery,
  filters: EngineFilterSet,
): Promise<MarkFacetCounts['marks']> {
  const { passing } = await computeFailedFilterConditions(endingQuery, filters)
  return Object.fromEntries(
    filters.markFacets.map(({ name, facet }) => {
      const countPassing = (positions: Int32Array, { withHidden = false } = {}) =>
        countMarkedProjectMatches(failed, positions, name, withHidden)
      return [name, facet.count({ query, countPassing, ending: { query: endingQuery, passing } })] as const
    }),
  )
}
