import sql, { empty, raw, type Sql } from 'sql-template-tag'
import { REPORT_FACTS } from '#contract/catalogue/project-facts.ts'
import type { DateRange, ListFilterValue, MoneyRange } from '#contract/report/report-param-kinds.ts'
import { findProvinceByCode, findProvinceByName } from '#contract/thai/province.ts'
import { resolveDateBound } from '#contract/thai/thai-date.ts'
import {
  type CountedDayFact,
  type CountedFlag,
  type CountedMoneyFact,
  PROVINCE_CODES,
  type PROVINCE_SHIFTS,
} from '#server/matching/packed-row.ts'
import { toDayNumber } from '#server/platform/text/day-number.ts'
import { isOneOfSql, projectMatchValueIdsSql } from '#server/report/match-sql.ts'
import {
  type BinFacet,
  DATE_PRESET_RANGES,
  type DateFacet,
  FIRST_DATE_PRESET_DAY,
  matchesList,
  type OptionFacet,
  type ReportFilter,
  type SharedValueField,
  toFacetOptions,
} from '#server/report/report-queries.ts'

/** Filter by a code that many projects share. `report_matches` has its id in `match_values`, where the kind is the fact. */
export function createValueListFilter(fact: SharedValueField): ReportFilter<ListFilterValue, OptionFacet> {
  const column = sql`m.${raw(REPORT_FACTS[fact].column)}`
  return {
    matches: matchesList((row) => row[fact]),
    condition: ({ values, negated }) => isOneOfSql(column, projectMatchValueIdsSql(fact, values), negated),
    select:
      ({ values, negated }) =>
      (matches) =>
        matches.selectByValue(fact, (value) => values.includes(value) !== negated),
    facet: { part: 'options', count: (facts) => toFacetOptions(facts.countValues(fact)) },
  }
}

export function createProvinceListFilter(
  fact: keyof typeof PROVINCE_SHIFTS,
): ReportFilter<ListFilterValue, OptionFacet> {
  const column = sql`m.${raw(REPORT_FACTS[fact].column)}`
  return {
    matches: matchesList((row) => row[fact]),
    condition: ({ values, negated }) =>
      isOneOfSql(column, sql`${values.map((name) => findProvinceByName(name)?.code ?? -1)}::smallint[]`, negated),
    select: ({ values, negated }) => {
      // Code 0 means unknown and is never listed, so such rows fail the filter.
      const isPassing = new Uint8Array(PROVINCE_CODES).fill(negated ? 1 : 0)
      for (const name of values) {
        const code = findProvinceByName(name)?.code
        if (code !== undefined) isPassing[code] = negated ? 0 : 1
      }
      return (matches) => matches.selectByProvince(fact, isPassing)
    },
    facet: {
      part: 'options',
      count: (facts) =>
        toFacetOptions(
          Array.from(facts.countProvinces(fact), (count, code) => [findProvinceByCode(code)?.th, count] as const),
        ),
    },
  }
}

/** Condition for an inclusive range; null means no bound. False if the column is null. */
const betweenSql = (column: Sql, from: Sql | null, to: Sql | null) =>
  sql`(${column} is not null${from ? sql` and ${column} >= ${from}` : empty}${to ? sql` and ${column} <= ${to}` : empty})`

const toSatang = (baht: number) => Math.round(baht * 100)
const satangSql = (baht: number | null) => (baht === null ? null : sql`${toSatang(baht)}::bigint`)

export function createMoneyFilter(fact: CountedMoneyFact): ReportFilter<MoneyRange, BinFacet> {
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
    select: ({ min, max }) => {
      const from = min === null ? Number.NEGATIVE_INFINITY : toSatang(min)
      const to = max === null ? Number.POSITIVE_INFINITY : toSatang(max)
      return (matches) => matches.selectByMoney(fact, from, to)
    },
    facet: { part: 'bins', count: (facts) => facts.countMoneyBins(fact) },
  }
}

function resolveBound(bound: string, today: string): string {
  const date = resolveDateBound(bound, today)
  if (date === undefined) throw new Error(`Not a date bound: ${bound}`)
  return date
}

export function createDayFilter(fact: CountedDayFact): ReportFilter<DateRange, DateFacet> {
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
    select:
      ({ from, to }) =>
      (matches) => {
        const bound = (text: string | null) => (text === null ? null : toDayNumber(resolveBound(text, matches.today)))
        return matches.selectByDay(fact, bound(from), bound(to))
      },
    facet: {
      part: 'dates',
      count: (facts) => {
        const days = facts.countDays(fact)
        return DATE_PRESET_RANGES.map(({ value, from, to }) => ({
          value,
          count: days
            .subarray(from - FIRST_DATE_PRESET_DAY, to - FIRST_DATE_PRESET_DAY + 1)
            .reduce((sum, count) => sum + count, 0),
        })).filter(({ count }) => count > 0)
      },
    },
  }
}

export function createFlagFilter(fact: CountedFlag): ReportFilter<true, OptionFacet> {
  return {
    matches: () => (row) => row[fact],
    condition: () => sql`m.${raw(REPORT_FACTS[fact].column)}`,
    select: () => (matches) => matches.selectByFlag(fact),
    facet: { part: 'options', count: (facts) => toFacetOptions([['true', facts.countFlag(fact)]]) },
  }
}
