import { BID_STATES, NEAR_DEADLINE_KINDS, type NearDeadlineKind } from '#contract/catalogue/bid-state.ts'
import { CONTRACT_END_PRESET_DAYS } from '#contract/catalogue/contract-end.ts'
import { type FacetOption, MONEY_HISTOGRAM_UPPER_BOUNDS_BAHT } from '#contract/report/report.ts'
import type { ReportParamName } from '#contract/report/report-params.ts'
import { findProvinceByCode } from '#contract/thai/province.ts'
import {
  compareFacetOptionsByCount,
  DATE_PRESET_RANGES,
  type FacetCounts,
  FIRST_DATE_PRESET_DAY,
  mapMarkedParams,
  NEAR_DEADLINE_DATE_PARAMS,
} from '#server/report/count-facets.ts'
import { toPackedDay } from '#server/report/packed-row.ts'
import { CHANGE_STATUS_CODES } from './change-codes.ts'
import {
  countProjectFacts,
  countProjectFactsBySubtraction,
  countProjectFactsOfReportTab,
  forEachCount,
  type RawFacetCounts,
} from './count-project-facts.ts'
import { computeFailedFilterConditions, type FailedFilterConditions } from './failure-masks.ts'
import type { InMemoryReportQuery } from './in-memory-report-query.ts'
import { getRowsAtPositions } from './match-set.ts'
import type { CountedDayColumn } from './project-columns.ts'
import type { PursuedProject } from './pursuit-cache.ts'
import type { SharedValueField } from './shared-values.ts'

const DATE_FACETS = {
  draft_published_date__range: 'draftPublishedOn',
  draft_discussion_end_date__range: 'discussionEndsOn',
  bidding_invite_date__range: 'invitedOn',
  submission_end_date__range: 'submissionEndsOn',
  winner_announce_date__range: 'announcedOn',
} as const satisfies Partial<Record<ReportParamName, CountedDayColumn>>

const FACET_PARAMS: ReadonlySet<ReportParamName> = new Set<ReportParamName>([
  'project_bidding__in',
  'project_change_status__in',
  'project_status__in',
  'project_movement__in',
  'project_criteria_for_consideration',
  'project_method__in',
  'project_method_type__in',
  'check_sme',
  'project_province__in',
  'project_province_dept_sub__in',
  'project_budget__range',
  'project_estimate_budget__range',
  'project_winner_budget__range',
  ...(Object.keys(DATE_FACETS) as (keyof typeof DATE_FACETS)[]),
])

type SetCounts = { readonly ofAll: RawFacetCounts; readonly ofOne: ReadonlyMap<ReportParamName, RawFacetCounts> }

/**
 * Counts the passing matches and, per parameter in `FACET_PARAMS`, those that fail only it. In a large tab, the largest
 * set is computed by subtracting the others from the cached counts of the whole tab: without filters nothing is
 * scanned, with one filter only the smaller set.
 */
async function countSets(
  query: InMemoryReportQuery,
  { failed, isOut, names, passing, failingOnly }: FailedFilterConditions,
): Promise<SetCounts> {
  const sets = [
    { number: 0, places: passing },
    ...failingOnly
      .map((positions, i) => ({ number: i + 1, places: positions }))
      .filter((_, i) => FACET_PARAMS.has(names[i]!)),
  ]
  const largest = sets.reduce((largestSoFar, set) =>
    set.places.length > largestSoFar.places.length ? set : largestSoFar,
  )
  const wholeTabCounts =
    largest.places.length * 2 > failed.length ? await countProjectFactsOfReportTab(query) : undefined
  const counts = new Map<number, RawFacetCounts>()
  for (const { number, places: positions } of sets)
    if (!wholeTabCounts || number !== largest.number) counts.set(number, await countProjectFacts(query, positions))
  if (wholeTabCounts) {
    const isInSet = Uint8Array.from({ length: 256 }, (_, number) => Number(sets.some((set) => set.number === number)))
    const remainingPositions = positionsWhere(
      failed.length,
      (position) => isOut[position] === 1 || isInSet[failed[position]!] === 0,
    )
    counts.set(
      largest.number,
      await countProjectFactsBySubtraction(query, wholeTabCounts, [...counts.values()], remainingPositions),
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

function optionsOf(countedValues: Iterable<readonly [value: string | undefined, count: number]>): FacetOption[] {
  const sums = new Map<string, number>()
  for (const [value, count] of countedValues)
    if (value !== undefined && count > 0) sums.set(value, (sums.get(value) ?? 0) + count)
  return [...sums].map(([value, count]) => ({ value, count })).sort(compareFacetOptionsByCount)
}

/**
 * Counts every facet: a match that passes all filters counts in every facet, a match that fails one filter only in that
 * filter's facet. Same result as `countFacets`.
 */
export async function countMatchFacets(
  query: InMemoryReportQuery,
  failed: FailedFilterConditions,
): Promise<FacetCounts> {
  const { names, passing, failingOnly } = failed
  const { ofAll, ofOne } = await countSets(query, failed)
  const { kinds } = query.columns
  const parts = (...failing: ReportParamName[]) =>
    [ofAll, ...failing.map((name) => ofOne.get(name))].filter((part) => part !== undefined)
  const dueOf = (kind: NearDeadlineKind) =>
    parts('project_bidding__in', NEAR_DEADLINE_DATE_PARAMS[kind]).reduce(
      (sum, { due }) => sum + due[NEAR_DEADLINE_KINDS.indexOf(kind)]!,
      0,
    )
  const kindOptions = (name: ReportParamName, word: SharedValueField) => {
    const values = kinds.values[word]
    const valueOfKind = kinds.valueOf[word]
    const counts = new Uint32Array(values.length)
    for (const part of parts(name))
      forEachCount(part.kinds, (kind, count) => {
        counts[valueOfKind[kind]!]! += count
      })
    return optionsOf(values.map((value, i) => [value, counts[i]!] as const))
  }
  const provinceOptions = (name: ReportParamName, shift: number) => {
    const counts = new Uint32Array(128)
    for (const part of parts(name))
      forEachCount(part.provinces, (pair, count) => {
        counts[(pair >> shift) & 127]! += count
      })
    return optionsOf(Array.from(counts, (count, code) => [findProvinceByCode(code)?.th, count] as const))
  }
  const binned = (name: ReportParamName, shift: number) => {
    const binCounts = Array.from({ length: MONEY_HISTOGRAM_UPPER_BOUNDS_BAHT.length + 1 }, () => 0)
    for (const { bins } of parts(name))
      forEachCount(bins, (packedBins, count) => {
        const bin = (packedBins >> shift) & 31
        if (bin < binCounts.length) binCounts[bin]! += count
      })
    return binCounts
  }
  const presets = (name: keyof typeof DATE_FACETS) =>
    DATE_PRESET_RANGES.map(({ value, from, to }) => {
      const days = parts(name).map((part) =>
        part.days[DATE_FACETS[name]].subarray(from - FIRST_DATE_PRESET_DAY, to - FIRST_DATE_PRESET_DAY + 1),
      )
      return {
        value,
        count: days.reduce((sum, dayCounts) => sum + dayCounts.reduce((subtotal, day) => subtotal + day, 0), 0),
      }
    }).filter(({ count }) => count > 0)
  const flat = (name: ReportParamName, countOf: (part: RawFacetCounts) => readonly (readonly [string, number])[]) =>
    optionsOf(parts(name).flatMap(countOf))
  let sme = 0
  for (const part of parts('check_sme'))
    forEachCount(part.kinds, (kind, count) => {
      sme += kinds.isSme[kind]! * count
    })
  return {
    lists: {
      project_bidding__in: flat('project_bidding__in', ({ bids }) =>
        BID_STATES.map(({ code }, i) => [code, bids[i]!] as const),
      ),
      project_change_status__in: flat('project_change_status__in', ({ changes }) =>
        CHANGE_STATUS_CODES.map((code, i) => [code, changes[i + 1]!] as const),
      ),
      project_status__in: kindOptions('project_status__in', 'status'),
      project_movement__in: kindOptions('project_movement__in', 'movement'),
      project_criteria_for_consideration: kindOptions('project_criteria_for_consideration', 'criteria'),
      project_method__in: kindOptions('project_method__in', 'method'),
      project_method_type__in: kindOptions('project_method_type__in', 'methodType'),
      project_province__in: provinceOptions('project_province__in', 7),
      project_province_dept_sub__in: provinceOptions('project_province_dept_sub__in', 0),
    },
    sme,
    bins: {
      project_budget__range: binned('project_budget__range', 0),
      project_estimate_budget__range: binned('project_estimate_budget__range', 5),
      project_winner_budget__range: binned('project_winner_budget__range', 10),
    },
    dates: {
      draft_published_date__range: presets('draft_published_date__range'),
      draft_discussion_end_date__range: presets('draft_discussion_end_date__range'),
      bidding_invite_date__range: presets('bidding_invite_date__range'),
      submission_end_date__range: presets('submission_end_date__range'),
      winner_announce_date__range: presets('winner_announce_date__range'),
    },
    due: { closing: dueOf('closing'), comment: dueOf('comment') },
    passingBut: mapMarkedParams((name) => passing.length + (failingOnly[names.indexOf(name)]?.length ?? 0)),
  }
}

/** Counts the facets of team work. Same result as `loadPersonalFacetCounts`. */
export function countPursuitFacets(failed: FailedFilterConditions, pursued: readonly PursuedProject[]) {
  const options = (name: ReportParamName, readValue: (project: PursuedProject) => string | number | null) => {
    const byValue = Map.groupBy(pursued, readValue)
    return [...byValue].flatMap(([value, group]) =>
      value === null
        ? []
        : [{ value: String(value), count: countMarkedProjectMatches(failed, positionsOf(group), name) }],
    )
  }
  const noted = pursued.filter(({ notes }) => notes > 0)
  const labelled = pursued.filter(({ labels }) => labels.length > 0)
  const byLabel = Map.groupBy(
    labelled.flatMap(({ labels, position }) => labels.map((value) => ({ value, place: position }))),
    ({ value }) => value,
  )
  return {
    teamLabels: [...byLabel].flatMap(([value, group]) => {
      const positions = Int32Array.from(group, ({ place: position }) => position)
      const count = countMarkedProjectMatches(failed, positions, 'team_label__in')
      return count === 0 ? [] : [{ value, count }]
    }),
    teamLabelled: countMarkedProjectMatches(failed, positionsOf(labelled), 'team_label__in'),
    stages: options('pursuit_stage__in', ({ stage }) => stage),
    owners: options('pursuit_owner__in', ({ owner }) => owner),
    noted: countMarkedProjectMatches(failed, positionsOf(noted), 'pursuit_has_notes'),
  }
}
const positionsOf = (pursued: readonly PursuedProject[]) => Int32Array.from(pursued, ({ position }) => position)

/**
 * Counts passing matches by the `CONTRACT_END_PRESET_DAYS` window of their next contract end; same result as `loadPersonalFacetCounts`.
 */
export async function countContractEndWindows(query: InMemoryReportQuery): Promise<FacetOption[]> {
  const { search, tab, columns } = query
  const { contractEnds, kind, kinds } = columns
  const { passing } = await computeFailedFilterConditions(query)
  const today = toPackedDay(query.today)
  const daysLeft = Array.from(getRowsAtPositions(tab, passing))
    .filter((row) => !search.is_archived || kinds.isArchived[kind[row]!] === 1)
    .map((row) => contractEnds.nextOf(row, today) - today)
  return CONTRACT_END_PRESET_DAYS.map((days) => ({
    value: String(days),
    count: daysLeft.filter((remaining) => remaining <= days).length,
  }))
}

/** Counts the positions that pass every filter except `without`. Hidden matches count only if `evenHidden`. */
export function countMarkedProjectMatches(
  { failed, isOut, names }: FailedFilterConditions,
  positions: Int32Array,
  without: ReportParamName,
  evenHidden = false,
): number {
  // If the search does not use this parameter the number is 0, which matches no condition.
  const ownNumber = names.indexOf(without) + 1
  let count = 0
  for (const position of positions)
    if ((failed[position] === 0 || failed[position] === ownNumber) && (evenHidden || isOut[position] === 0)) count += 1
  return count
}
