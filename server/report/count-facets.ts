import {
  type BidState,
  CLOSING_SOON_DAYS,
  getBidState,
  getNearDeadlineKind,
  type NearDeadlineKind,
} from '#contract/catalogue/bid-state.ts'
import { type FacetOption, MONEY_HISTOGRAM_UPPER_BOUNDS_BAHT, REPORT_DATE_PRESETS } from '#contract/report/report.ts'
import type { ReportParamName, ReportParamNameOf } from '#contract/report/report-params.ts'
import { findProvinceByCode } from '#contract/thai/province.ts'
import type { PackedFacetRows } from './facet-queries.ts'
import {
  FAILED_FILTER_CONDITIONS_MASK_SHIFT,
  NUMBERS_PER_PACKED_FACET_ROW,
  PACKED_FACET_ROW_OFFSETS,
  toPackedDay,
  UNKNOWN_PACKED_DAY,
  unpackFacetRowNumbers,
} from './packed-row.ts'
import { projectChangeStatusFromNumber } from './report-filter-sql.ts'

/** Parameters whose facets are counted from marks of users and teams, because few projects have any. */
type MarkedParamName = 'project_label__in' | 'team_label__in' | 'pursuit_stage__in' | 'pursuit_owner__in'

export type FacetCounts = {
  readonly lists: Readonly<Record<Exclude<ReportParamNameOf<'list'>, MarkedParamName>, FacetOption[]>>
  readonly sme: number
  readonly bins: Readonly<Record<ReportParamNameOf<'money'>, number[]>>
  readonly dates: Readonly<Record<ReportParamNameOf<'dates'>, FacetOption[]>>
  /** Number of projects with a near deadline, ignoring the filters for bid state and for the date of that deadline. */
  readonly due: Readonly<Record<NearDeadlineKind, number>>
  readonly passingBut: Readonly<Record<MarkedParamName, number>>
}

export const DATE_PRESET_RANGES = REPORT_DATE_PRESETS.map(({ value }) => {
  const [from, to] = value.split(',').map((bound) => Number(bound.slice(1)))
  return { value, from: from!, to: to! }
})
export const FIRST_DATE_PRESET_DAY = Math.min(...DATE_PRESET_RANGES.map((preset) => preset.from))
export const LAST_DATE_PRESET_DAY = Math.max(...DATE_PRESET_RANGES.map((preset) => preset.to))

export const NEAR_DEADLINE_DATE_PARAMS = {
  closing: 'submission_end_date__range',
  comment: 'draft_discussion_end_date__range',
} as const satisfies Record<NearDeadlineKind, ReportParamName>

export const compareFacetOptionsByCount = (a: FacetOption, b: FacetOption) =>
  b.count - a.count || (a.value < b.value ? -1 : 1)

function optionsFromCounts(counts: Uint32Array, nameOf: (id: number) => string | undefined): FacetOption[] {
  const facetOptions: FacetOption[] = []
  for (const [id, count] of counts.entries()) {
    const value = count > 0 ? nameOf(id) : undefined
    if (value !== undefined) facetOptions.push({ value, count })
  }
  return facetOptions.sort(compareFacetOptionsByCount)
}

/**
 * Counts every facet: a row that passes all filters counts in every facet, a row that fails one filter only in that
 * filter's facet. One plain loop over numbers per facet: 1 ms for 12,000 rows and 18 facets.
 */
export function countFacets(
  { bytes, bits }: PackedFacetRows,
  values: ReadonlyMap<number, string>,
  today: string,
): FacetCounts {
  const numbers = unpackFacetRowNumbers(bytes)
  const masks = masksOf(numbers)

  /**
   * Counts the values `((number >> shift) & mask) - first` below `size`, over the rows that no other filter excludes.
   */
  const count = (name: ReportParamName, at: number, size: number, shift = 0, mask = -1, first = 0): Uint32Array => {
    const counts = new Uint32Array(size)
    const ownBit = bits.get(name) ?? 0
    for (let row = 0, offset = at; row < masks.length; row += 1, offset += NUMBERS_PER_PACKED_FACET_ROW) {
      const failed = masks[row]!
      if (failed !== 0 && failed !== ownBit) continue
      const value = ((numbers[offset]! >> shift) & mask) - first
      if (value >= 0 && value < size) counts[value] = counts[value]! + 1
    }
    return counts
  }
  const size = Math.max(0, ...values.keys()) + 1
  const valued = (name: ReportParamName, at: number) => optionsFromCounts(count(name, at, size), (id) => values.get(id))
  const provinces = (name: ReportParamName, shift: number) =>
    optionsFromCounts(
      count(name, PACKED_FACET_ROW_OFFSETS.provinces, 128, shift, 127),
      (id) => findProvinceByCode(id)?.th,
    )
  // The bin for unknown amounts is past the last one, so it is dropped.
  const binned = (name: ReportParamName, shift: number) => [
    ...count(name, PACKED_FACET_ROW_OFFSETS.bins, MONEY_HISTOGRAM_UPPER_BOUNDS_BAHT.length + 1, shift, 31),
  ]
  const firstDay = toPackedDay(today) + FIRST_DATE_PRESET_DAY
  const presets = (name: ReportParamName, at: number) => {
    // Without this guard the range would include the value for unknown days. Presets reach back only a month, so it
    // never applies in practice.
    if (firstDay <= UNKNOWN_PACKED_DAY) return []
    const days = count(name, at, LAST_DATE_PRESET_DAY - FIRST_DATE_PRESET_DAY + 1, 0, -1, firstDay)
    return DATE_PRESET_RANGES.map(({ value, from, to }) => ({
      value,
      count: days
        .subarray(from - FIRST_DATE_PRESET_DAY, to - FIRST_DATE_PRESET_DAY + 1)
        .reduce((sum, day) => sum + day, 0),
    })).filter((option) => option.count > 0)
  }
  const day = (packed: number) => (packed === UNKNOWN_PACKED_DAY ? null : packed)
  const now = toPackedDay(today)
  const factsAt = (offset: number) => ({
    status: values.get(numbers[offset + PACKED_FACET_ROW_OFFSETS.status]!) ?? '',
    movement: values.get(numbers[offset + PACKED_FACET_ROW_OFFSETS.movement]!) ?? '',
    draft_discussion_end_date: day(numbers[offset + PACKED_FACET_ROW_OFFSETS.draftDiscussionEnd]!),
    bidding_invite_date: day(numbers[offset + PACKED_FACET_ROW_OFFSETS.biddingInvite]!),
    submission_end_date: day(numbers[offset + PACKED_FACET_ROW_OFFSETS.submissionEnd]!),
    winner_announce_date: day(numbers[offset + PACKED_FACET_ROW_OFFSETS.winnerAnnounce]!),
  })
  const biddingStates = (): FacetOption[] => {
    const counts = new Map<BidState, number>()
    const ownBit = bits.get('project_bidding__in') ?? 0
    for (let row = 0, offset = 0; row < masks.length; row += 1, offset += NUMBERS_PER_PACKED_FACET_ROW) {
      const failed = masks[row]!
      if (failed !== 0 && failed !== ownBit) continue
      const state = getBidState(factsAt(offset), now)
      counts.set(state, (counts.get(state) ?? 0) + 1)
    }
    return [...counts].map(([value, count]) => ({ value, count })).sort(compareFacetOptionsByCount)
  }
  const dueKinds = () => {
    const counts = { closing: 0, comment: 0 }
    const ofStates = bits.get('project_bidding__in') ?? 0
    for (let row = 0, offset = 0; row < masks.length; row += 1, offset += NUMBERS_PER_PACKED_FACET_ROW) {
      const failed = masks[row]!
      const kind = getNearDeadlineKind(factsAt(offset), now, now + CLOSING_SOON_DAYS)
      if (kind && [0, ofStates, bits.get(NEAR_DEADLINE_DATE_PARAMS[kind]) ?? 0].includes(failed)) counts[kind] += 1
    }
    return counts
  }
  const passingBut = (name: ReportParamName) => {
    const ownBit = bits.get(name) ?? 0
    return masks.reduce((sum, failed) => (failed === 0 || failed === ownBit ? sum + 1 : sum), 0)
  }
  return {
    lists: {
      project_bidding__in: biddingStates(),
      project_change_status__in: optionsFromCounts(
        count('project_change_status__in', PACKED_FACET_ROW_OFFSETS.maskLow, 4, 0, 3),
        projectChangeStatusFromNumber,
      ),
      project_status__in: valued('project_status__in', PACKED_FACET_ROW_OFFSETS.status),
      project_movement__in: valued('project_movement__in', PACKED_FACET_ROW_OFFSETS.movement),
      project_criteria_for_consideration: valued(
        'project_criteria_for_consideration',
        PACKED_FACET_ROW_OFFSETS.criteria,
      ),
      project_method__in: valued('project_method__in', PACKED_FACET_ROW_OFFSETS.method),
      project_method_type__in: valued('project_method_type__in', PACKED_FACET_ROW_OFFSETS.methodType),
      project_province__in: provinces('project_province__in', 7),
      project_province_dept_sub__in: provinces('project_province_dept_sub__in', 0),
    },
    sme: count('check_sme', PACKED_FACET_ROW_OFFSETS.provinces, 2, 14, 1)[1] ?? 0,
    bins: {
      project_budget__range: binned('project_budget__range', 0),
      project_estimate_budget__range: binned('project_estimate_budget__range', 5),
      project_winner_budget__range: binned('project_winner_budget__range', 10),
    },
    dates: {
      draft_published_date__range: presets('draft_published_date__range', PACKED_FACET_ROW_OFFSETS.draftPublished),
      draft_discussion_end_date__range: presets(
        'draft_discussion_end_date__range',
        PACKED_FACET_ROW_OFFSETS.draftDiscussionEnd,
      ),
      bidding_invite_date__range: presets('bidding_invite_date__range', PACKED_FACET_ROW_OFFSETS.biddingInvite),
      submission_end_date__range: presets('submission_end_date__range', PACKED_FACET_ROW_OFFSETS.submissionEnd),
      winner_announce_date__range: presets('winner_announce_date__range', PACKED_FACET_ROW_OFFSETS.winnerAnnounce),
    },
    due: dueKinds(),
    passingBut: mapMarkedParams(passingBut),
  }
}

export const mapMarkedParams = (countOf: (name: MarkedParamName) => number): Record<MarkedParamName, number> => ({
  project_label__in: countOf('project_label__in'),
  team_label__in: countOf('team_label__in'),
  pursuit_stage__in: countOf('pursuit_stage__in'),
  pursuit_owner__in: countOf('pursuit_owner__in'),
})

function masksOf(numbers: Int16Array): Int32Array {
  const masks = new Int32Array(numbers.length / NUMBERS_PER_PACKED_FACET_ROW)
  for (let row = 0, offset = 0; row < masks.length; row += 1, offset += NUMBERS_PER_PACKED_FACET_ROW) {
    masks[row] =
      ((numbers[offset + PACKED_FACET_ROW_OFFSETS.maskHigh]! << 16) |
        (numbers[offset + PACKED_FACET_ROW_OFFSETS.maskLow]! & 0xffff)) >>
      FAILED_FILTER_CONDITIONS_MASK_SHIFT
  }
  return masks
}
