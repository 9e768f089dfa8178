import { yieldToEventLoop } from '#server/platform/engine/deadline.ts'
import type { EngineFilterSet } from './engine-filter-set.ts'
import type { FailedFilterConditions } from './failed-filter-conditions.ts'
import type { InMemoryReportQuery } from './in-memory-report-query.ts'

/**
 * Marks a match that fails several conditions. Cannot collide with a condition number, because there are far fewer than
 * 255 filters.
 */
const FAILS_SEVERAL = 255
/** Matches tested before yielding to the event loop: 1 to 2 ms of work per filter. */
const MATCHES_PER_SLICE = 200_000

function recordFailures(failed: Uint8Array, passing: Uint8Array, condition: number): void {
  for (let at = 0; at < failed.length; at += 1)
    if (passing[at] === 0) failed[at] = failed[at] === 0 ? condition : FAILS_SEVERAL
}

export async function computeFailedFilterConditions(
  query: InMemoryReportQuery,
  filters: Pick<EngineFilterSet, 'getActiveFilters'>,
): Promise<FailedFilterConditions> {
  const { search, tab, hidden } = query
  const failed = new Uint8Array(tab.rows.length)
  const isOut = new Uint8Array(tab.rows.length)
  const active = filters.getActiveFilters(search)
  if (!active.some(({ filter }) => filter.showsHidden)) for (const position of hidden) isOut[position] = 1
  for (const [i, { filter, value, isOnlyReasonForArchived }] of active.entries()) {
    const passing = await filter.mask(value)(query)
    recordFailures(failed, passing, i + 1)
    if (isOnlyReasonForArchived) excludeFailingArchived(query, passing, isOut)
    if (failed.length * (i + 1) >= MATCHES_PER_SLICE) await yieldToEventLoop()
  }
  return { failed, isOut, names: active.map(({ name }) => name), ...groupByFailure(failed, isOut, active.length) }
}

/** Excludes archived work that fails the only filter that includes it. */
function excludeFailingArchived(
  { tab, columns: { kind, kinds } }: InMemoryReportQuery,
  passing: Uint8Array,
  isOut: Uint8Array,
): void {
  for (let at = 0; at < isOut.length; at += 1)
    if (passing[at] === 0 && kinds.flags.is_archived[kind[tab.rows[at]!]!] === 1) isOut[at] = 1
}

function groupByFailure(
  failed: Uint8Array,
  isOut: Uint8Array,
  conditions: number,
): Pick<FailedFilterConditions, 'passing' | 'failingOnly'> {
  // List 0 contains the matches that pass; list i + 1 those that fail only condition i.
  const sizes = new Uint32Array(conditions + 1)
  const isCounted = (at: number) => failed[at] !== FAILS_SEVERAL && isOut[at] === 0
  for (let at = 0; at < failed.length; at += 1) if (isCounted(at)) sizes[failed[at]!]! += 1
  const lists = Array.from(sizes, (size) => new Int32Array(size))
  sizes.fill(0)
  for (let at = 0; at < failed.length; at += 1) {
    if (!isCounted(at)) continue
    const list = failed[at]!
    lists[list]![sizes[list]!++] = at
  }
  return { passing: lists[0]!, failingOnly: lists.slice(1) }
}
