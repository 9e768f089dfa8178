import sql, { raw } from 'sql-template-tag'
import { REPORT_FACTS } from '#contract/catalogue/project-facts.ts'
import { MONEY_HISTOGRAM_UPPER_BOUNDS_BAHT } from '#contract/report/report.ts'
import type { MoneyRange } from '#contract/report/report-param-kinds.ts'
import { MONEY_BIN_SHIFTS, PACKED_FACET_ROW_OFFSETS } from '#server/report/packed-row.ts'
import { betweenSql } from './between-sql.ts'
import type { CountedMoneyFact, ReportFilter } from './report-filter.ts'

const toSatang = (baht: number) => Math.round(baht * 100)
const satangSql = (baht: number | null) => (baht === null ? null : sql`${toSatang(baht)}::bigint`)
const BIN_COUNT = MONEY_HISTOGRAM_UPPER_BOUNDS_BAHT.length + 1

export function createMoneyFilter(fact: CountedMoneyFact): ReportFilter<MoneyRange> {
  const binShift = MONEY_BIN_SHIFTS[fact]
  const column = sql`m.${raw(REPORT_FACTS[fact].column)}`
  return {
    matches:
      ({ min, max }) =>
      (row) => {
        const value = row[fact]
        if (value === null) return false
        return (min === null || toSatang(value) >= toSatang(min)) && (max === null || toSatang(value) <= toSatang(max))
      },
    condition: ({ min, max }) => betweenSql(column, satangSql(min), satangSql(max)),
    mask:
      ({ min, max }) =>
      (query) => {
        const from = min === null ? Number.NEGATIVE_INFINITY : toSatang(min)
        const to = max === null ? Number.POSITIVE_INFINITY : toSatang(max)
        const amounts = query.columns.money[fact]
        // Unknown amounts are NaN and match no range.
        return query.flagByRow((row) => amounts[row]! >= from && amounts[row]! <= to)
      },
    facet: {
      part: 'bins',
      // The bin for unknown amounts is past the last one, so it is dropped.
      countRows: ({ count }) => [...count(PACKED_FACET_ROW_OFFSETS.bins, BIN_COUNT, { shift: binShift, mask: 31 })],
      countParts: (parts) => {
        const counts = Array.from({ length: BIN_COUNT }, () => 0)
        for (const { bins } of parts)
          for (const [packedBins, count] of bins) {
            const bin = (packedBins >> binShift) & 31
            if (bin < BIN_COUNT) counts[bin]! += count
          }
        return counts
      },
    },
  }
}
