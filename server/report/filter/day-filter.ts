import sql, { raw } from 'sql-template-tag'
import { REPORT_FACTS } from '#contract/catalogue/project-facts.ts'
import type { DateRange } from '#contract/report/report-param-kinds.ts'
import { resolveDateBound } from '#contract/thai/thai-date.ts'
import { DATE_PRESET_RANGES, FIRST_DATE_PRESET_DAY, LAST_DATE_PRESET_DAY } from '#server/report/date-preset-ranges.ts'
import { PACKED_FACET_ROW_OFFSETS, toPackedDay, UNKNOWN_PACKED_DAY } from '#server/report/packed-row.ts'
import { betweenSql } from './between-sql.ts'
import type { ColumnFacet, CountedDayFact, ReportFilter } from './report-filter.ts'

function resolveBound(bound: string, today: string): string {
  const date = resolveDateBound(bound, today)
  if (date === undefined) throw new Error(`Not a date bound: ${bound}`)
  return date
}

/** Counts projects per date preset. Index 0 of each list is `FIRST_DATE_PRESET_DAY` relative to today. */
const countPresets = (countsPerDay: readonly Uint32Array[]) =>
  DATE_PRESET_RANGES.map(({ value, from, to }) => ({
    value,
    count: countsPerDay.reduce(
      (total, days) =>
        days
          .subarray(from - FIRST_DATE_PRESET_DAY, to - FIRST_DATE_PRESET_DAY + 1)
          .reduce((sum, day) => sum + day, total),
      0,
    ),
  })).filter(({ count }) => count > 0)

const createPresetFacet = (fact: CountedDayFact): ColumnFacet => ({
  part: 'dates',
  countRows: ({ count, today }) => {
    const first = toPackedDay(today) + FIRST_DATE_PRESET_DAY
    // Excludes the value for unknown days. Presets reach back only a month, so this never applies in practice.
    if (first <= UNKNOWN_PACKED_DAY) return []
    return countPresets([
      count(PACKED_FACET_ROW_OFFSETS[fact], LAST_DATE_PRESET_DAY - FIRST_DATE_PRESET_DAY + 1, { first }),
    ])
  },
  countParts: (parts) => countPresets(parts.map(({ days }) => days[fact])),
})

export function createDayFilter(fact: CountedDayFact): ReportFilter<DateRange> {
  const column = sql`m.${raw(REPORT_FACTS[fact].column)}`
  return {
    matches:
      ({ from, to }) =>
      (row, { today }) => {
        const value = row[fact]
        if (value === null) return false
        return (
          (from === null || value >= resolveBound(from, today)) && (to === null || value <= resolveBound(to, today))
        )
      },
    condition: ({ from, to }, { today }) => {
      const bound = (text: string | null) => (text === null ? null : sql`${resolveBound(text, today)}::date`)
      return betweenSql(column, bound(from), bound(to))
    },
    mask:
      ({ from, to }) =>
      (query) => {
        const bound = (text: string | null) => (text === null ? null : toPackedDay(resolveBound(text, query.today)))
        return query.flagByDay(fact, bound(from), bound(to))
      },
    facet: createPresetFacet(fact),
  }
}
