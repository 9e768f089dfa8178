import { CLOSING_SOON_DAYS, getNearDeadlineKind } from '#contract/catalogue/bid-state.ts'
import type { ReportFilterName } from '#contract/report/report-params.ts'
import { getBidStateInputFromPackedRow } from '#server/report/filter/bid-state-filter.ts'
import type { PackedFacetRowCounter } from '#server/report/filter/report-filter.ts'
import {
  countColumnFacets,
  countPassingAllOtherFilters,
  DEADLINE_FILTERS,
} from '#server/report/filter/report-filters.ts'
import {
  FAILED_FILTER_CONDITIONS_MASK_SHIFT,
  NUMBERS_PER_PACKED_FACET_ROW,
  PACKED_FACET_ROW_OFFSETS,
  toPackedDay,
  unpackFacetRowNumbers,
} from '#server/report/packed-row.ts'
import type { FacetCounts } from '#server/report/report-queries.ts'
import type { ReportScope } from '#server/report/report-scope.ts'
import type { PackedFacetRows } from './facet-queries.ts'

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
    for (let row = 0, offset = 0; row < masks.length; row += 1, offset += NUMBERS_PER_PACKED_FACET_ROW) {
      const failed = masks[row]!
      const kind = getNearDeadlineKind(
        getBidStateInputFromPackedRow(numbers, offset, values),
        now,
        now + CLOSING_SOON_DAYS,
      )
      if (kind && (failed === 0 || DEADLINE_FILTERS[kind].some((name) => failed === bits.get(name)))) counts[kind] += 1
    }
    return counts
  }
  return {
    ...countColumnFacets((name, facet) => facet.countRows(rowsBut(name))),
    due: dueKinds(),
    passingBut: countPassingAllOtherFilters((name) => {
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
