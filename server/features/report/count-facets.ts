import { provinceCoded } from '#contract/province.ts'
import { DATE_PRESETS, type FacetOption, MONEY_BINS } from '#contract/report.ts'
import type { ReportParamName, ReportParamNameOf } from '#contract/report-params.ts'
import type { PackedRows } from './facet-queries.ts'
import { changeStatusOf } from './filter-sql.ts'
import { AT, packedDay, ROW_BYTES, UNKNOWN_BIN, UNKNOWN_DAY } from './packed-row.ts'

type CodedList = Exclude<ReportParamNameOf<'list'>, 'project_label__in'>

export type FacetCounts = {
  readonly lists: Readonly<Record<CodedList, FacetOption[]>>
  readonly sme: number
  /** Counts in the bins of `MONEY_BINS`, the last one for everything above. */
  readonly bins: Readonly<Record<ReportParamNameOf<'money'>, number[]>>
  readonly dates: Readonly<Record<ReportParamNameOf<'dates'>, FacetOption[]>>
  /** Rows that pass every filter. */
  readonly passing: number
  /** Rows that pass every filter but the labels. */
  readonly passingButLabels: number
}

const PRESETS = DATE_PRESETS.map(({ value }) => {
  const [from, to] = value.split(',').map((bound) => Number(bound.slice(1)))
  return { value, from: from!, to: to! }
})
const FIRST_DAY = Math.min(...PRESETS.map((preset) => preset.from))
const LAST_DAY = Math.max(...PRESETS.map((preset) => preset.to))

/** A counter by small numbers; `read` says how a row of `view` at `offset` falls into it, -1 = nowhere. */
type Counter = {
  readonly name: ReportParamName
  readonly counts: number[]
  readonly read: (view: DataView, offset: number) => number
}

const number16 =
  (at: number) =>
  (view: DataView, offset: number): number =>
    view.getInt16(offset + at)
const bits =
  (at: number, shift: number, mask: number) =>
  (view: DataView, offset: number): number =>
    (view.getUint16(offset + at) >> shift) & mask

function daysFrom(today: number, at: number) {
  return (view: DataView, offset: number): number => {
    const day = view.getInt16(offset + at)
    const from = day - today
    return day === UNKNOWN_DAY || from < FIRST_DAY || from > LAST_DAY ? -1 : from - FIRST_DAY
  }
}

const byCount = (a: FacetOption, b: FacetOption) => b.count - a.count || (a.value < b.value ? -1 : 1)

function options(counts: readonly number[], nameOf: (id: number) => string | undefined): FacetOption[] {
  const found: FacetOption[] = []
  counts.forEach((count, id) => {
    const value = nameOf(id)
    if (count > 0 && value !== undefined) found.push({ value, count })
  })
  return found.sort(byCount)
}

function presetOptions(counts: readonly number[]): FacetOption[] {
  const found: FacetOption[] = []
  for (const { value, from, to } of PRESETS) {
    let count = 0
    for (let day = from; day <= to; day += 1) count += counts[day - FIRST_DAY] ?? 0
    if (count > 0) found.push({ value, count })
  }
  return found
}

/**
 * Counts every facet in one walk over the packed rows: a row that passes all filters counts in every facet, a row that fails one
 * filter counts only in that filter's own. About 0.1 µs a row and facet.
 */
export function countFacets(
  { bytes, bits: filterBits }: PackedRows,
  values: ReadonlyMap<number, string>,
  today: string,
): FacetCounts {
  const day = packedDay(today)
  const counters = {
    project_change_status__in: number16(AT.change),
    project_status__in: number16(AT.status),
    project_movement__in: number16(AT.movement),
    project_criteria_for_consideration: number16(AT.criteria),
    project_method__in: number16(AT.method),
    project_method_type__in: number16(AT.methodType),
    project_province__in: bits(AT.provinces, 7, 127),
    project_province_dept_sub__in: bits(AT.provinces, 0, 127),
    project_budget__range: bits(AT.bins, 0, 15),
    project_estimate_budget__range: bits(AT.bins, 4, 15),
    project_winner_budget__range: bits(AT.bins, 8, 15),
    check_sme: bits(AT.bins, 12, 1),
    draft_published_date__range: daysFrom(day, AT.draftPublished),
    draft_discussion_end_date__range: daysFrom(day, AT.draftDiscussionEnd),
    bidding_invite_date__range: daysFrom(day, AT.biddingInvite),
    submission_end_date__range: daysFrom(day, AT.submissionEnd),
    winner_announce_date__range: daysFrom(day, AT.winnerAnnounce),
  } satisfies Partial<Record<ReportParamName, Counter['read']>>
  const all: Counter[] = Object.entries(counters).map(([name, read]) => ({
    name: name as ReportParamName,
    counts: [],
    read,
  }))
  const ofBit = new Map(all.map((counter) => [filterBits.get(counter.name), counter]))
  const labelBit = filterBits.get('project_label__in')
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let passing = 0
  let passingButLabels = 0
  const count = (counter: Counter, offset: number) => {
    const at = counter.read(view, offset)
    if (at >= 0) counter.counts[at] = (counter.counts[at] ?? 0) + 1
  }
  for (let offset = 0; offset < bytes.byteLength; offset += ROW_BYTES) {
    const failed = view.getInt32(offset + AT.mask)
    if (failed === 0 || failed === labelBit) passingButLabels += 1
    if (failed === 0) {
      passing += 1
      for (const counter of all) count(counter, offset)
    } else {
      const own = ofBit.get(failed)
      if (own) count(own, offset)
    }
  }
  const countsOf = (name: keyof typeof counters) => all.find((counter) => counter.name === name)!.counts
  const valued = (name: keyof typeof counters) => options(countsOf(name), (id) => values.get(id))
  const provinces = (name: keyof typeof counters) => options(countsOf(name), (id) => provinceCoded(id)?.th)
  const binned = (name: keyof typeof counters) => {
    const counts = countsOf(name)
    return Array.from({ length: MONEY_BINS.length + 1 }, (_, bin) => (bin === UNKNOWN_BIN ? 0 : (counts[bin] ?? 0)))
  }
  const preset = (name: keyof typeof counters) => presetOptions(countsOf(name))
  return {
    lists: {
      project_change_status__in: options(countsOf('project_change_status__in'), changeStatusOf),
      project_status__in: valued('project_status__in'),
      project_movement__in: valued('project_movement__in'),
      project_criteria_for_consideration: valued('project_criteria_for_consideration'),
      project_method__in: valued('project_method__in'),
      project_method_type__in: valued('project_method_type__in'),
      project_province__in: provinces('project_province__in'),
      project_province_dept_sub__in: provinces('project_province_dept_sub__in'),
    },
    sme: countsOf('check_sme')[1] ?? 0,
    bins: {
      project_budget__range: binned('project_budget__range'),
      project_estimate_budget__range: binned('project_estimate_budget__range'),
      project_winner_budget__range: binned('project_winner_budget__range'),
    },
    dates: {
      draft_published_date__range: preset('draft_published_date__range'),
      draft_discussion_end_date__range: preset('draft_discussion_end_date__range'),
      bidding_invite_date__range: preset('bidding_invite_date__range'),
      submission_end_date__range: preset('submission_end_date__range'),
      winner_announce_date__range: preset('winner_announce_date__range'),
    },
    passing,
    passingButLabels,
  }
}
