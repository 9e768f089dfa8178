import { CLOSING_SOON_DAYS, getNearDeadlineKind, type NearDeadlineKind } from '#contract/catalogue/bid-state.ts'
import type { FacetOption } from '#contract/report/report.ts'
import type { ReportFilterName } from '#contract/report/report-params.ts'
import type { PackedFacetRows } from './facet-queries.ts'
import { getBidFactsOfPackedRow } from './filter/bid-state-filter.ts'
import type { ColumnFacet, PackedFacetRowCounter } from './filter/report-filter.ts'
import { COLUMN_FACETS, MARK_FACETS_WITH_UNMARKED_OPTION } from './filter/report-filters.ts'
import {
  FAILED_FILTER_CONDITIONS_MASK_SHIFT,
  NUMBERS_PER_PACKED_FACET_ROW,
  PACKED_FACET_ROW_OFFSETS,
  toPackedDay,
  unpackFacetRowNumbers,
} from './packed-row.ts'
import type { ReportScope } from './report-scope.ts'

/** Facets by filter. */
export type FacetCounts = {
  readonly options: Readonly<Record<string, FacetOption[]>>
  readonly bins: Readonly<Record<string, number[]>>
  readonly dates: Readonly<Record<string, FacetOption[]>>
  /** Number of projects with a near deadline, ignoring the filters for bid state and for the date of that deadline. */
  readonly due: Readonly<Record<NearDeadlineKind, number>>
  /** Per mark facet with an option for unmarked projects: projects that pass all other filters. */
  readonly passingBut: Readonly<Record<string, number>>
}

export const NEAR_DEADLINE_DATE_PARAMS = {
  closing: 'submission_end_date__range',
  comment: 'draft_discussion_end_date__range',
} as const satisfies Record<NearDeadlineKind, ReportFilterName>

export function countColumnFacets(
  countFacet: (name: ReportFilterName, facet: ColumnFacet) => FacetOption[] | number[],
): Pick<FacetCounts, ColumnFacet['part']> {
  const counts = { options: {}, bins: {}, dates: {} }
  for (const { name, facet } of COLUMN_FACETS) Object.assign(counts[facet.part], { [name]: countFacet(name, facet) })
  return counts
}

export const countPassingBut = (countOf: (name: ReportFilterName) => number): FacetCounts['passingBut'] =>
  Object.fromEntries(MARK_FACETS_WITH_UNMARKED_OPTION.map(({ name }) => [name, countOf(name)]))

/**
 * Counts every facet: a row that passes all filters counts in every facet, a row that fails one filter only in that
 * filter's facet. One plain loop over numbers per facet: 1 ms for 12,000 rows and 18 facets.
 */
export function countFacets(
  { bytes, bits }: PackedFacetRows,
  values: ReadonlyMap<number, string>,
  { today, packageProvinces = new Set() }: Pick<ReportScope, 'today' | 'packageProvinces'>,
): FacetCounts {
  const numbers = unpackFacetRowNumbers(bytes)
  const masks = masksOf(numbers)

  /** Returns a counter of the rows that no filter except this one excludes. */
  const rowsBut = (name: ReportFilterName): PackedFacetRowCounter => {
    const ownBit = bits.get(name) ?? 0
    return {
      today,
      packageProvinces,
      values,
      count: (firstOffset, size, { shift = 0, mask = -1, first = 0 } = {}) => {
        const counts = new Uint32Array(size)
        for (let row = 0, offset = firstOffset; row < masks.length; row += 1, offset += NUMBERS_PER_PACKED_FACET_ROW) {
          const failed = masks[row]!
          if (failed !== 0 && failed !== ownBit) continue
          const value = ((numbers[offset]! >> shift) & mask) - first
          if (value >= 0 && value < size) counts[value] = counts[value]! + 1
        }
        return counts
      },
      forEachRow: (visit) => {
        for (let row = 0, offset = 0; row < masks.length; row += 1, offset += NUMBERS_PER_PACKED_FACET_ROW) {
          const failed = masks[row]!
          if (failed === 0 || failed === ownBit) visit(numbers, offset)
        }
      },
    }
  }
  const now = toPackedDay(today)
  const dueKinds = () => {
    const counts = { closing: 0, comment: 0 }
    const ofStates = bits.get('project_bidding__in') ?? 0
    for (let row = 0, offset = 0; row < masks.length; row += 1, offset += NUMBERS_PER_PACKED_FACET_ROW) {
      const failed = masks[row]!
      const kind = getNearDeadlineKind(getBidFactsOfPackedRow(numbers, offset, values), now, now + CLOSING_SOON_DAYS)
      if (kind && [0, ofStates, bits.get(NEAR_DEADLINE_DATE_PARAMS[kind]) ?? 0].includes(failed)) counts[kind] += 1
    }
    return counts
  }
  return {
    ...countColumnFacets((name, facet) => facet.countRows(rowsBut(name))),
    due: dueKinds(),
    passingBut: countPassingBut((name) => {
      const ownBit = bits.get(name) ?? 0
      return masks.reduce((sum, failed) => (failed === 0 || failed === ownBit ? sum + 1 : sum), 0)
    }),
  }
}

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
