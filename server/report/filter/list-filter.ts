import sql, { raw, type Sql } from 'sql-template-tag'
import { REPORT_FACTS } from '#contract/catalogue/project-facts.ts'
import type { ReportRow } from '#contract/report/report.ts'
import type { ListFilterValue } from '#contract/report/report-param-kinds.ts'
import { findProvinceByCode, findProvinceByName } from '#contract/thai/province.ts'
import { projectMatchValueIdsSql } from '#server/report/bid-state-sql.ts'
import { PACKED_FACET_ROW_OFFSETS } from '#server/report/packed-row.ts'
import { toFacetOptions } from './facet-options.ts'
import type { ReportFilter, ReportRowPredicate, SharedValueField } from './report-filter.ts'

export const matchesList =
  (readValue: (row: ReportRow) => string | null) =>
  (filter: ListFilterValue): ReportRowPredicate => {
    const values = new Set(filter.values)
    return (row) => {
      const value = readValue(row)
      return (value !== null && values.has(value)) !== filter.negated
    }
  }

/** A row whose value is unknown is in no list, so it passes a negated filter. */
export const isOneOfSql = (column: Sql, ids: Sql, negated: boolean) =>
  negated ? sql`(${column} = any (${ids})) is not true` : sql`${column} = any (${ids})`

/** Filter by a code that many projects share. `report_matches` has its id in `match_values`, where the kind is the fact. */
export function createValueListFilter(fact: SharedValueField): ReportFilter<ListFilterValue> {
  const column = sql`m.${raw(REPORT_FACTS[fact].column)}`
  return {
    matches: matchesList((row) => row[fact]),
    condition: ({ values, negated }) => isOneOfSql(column, projectMatchValueIdsSql(fact, values), negated),
    mask:
      ({ values, negated }) =>
      (query) => {
        const { kinds } = query.columns
        const isPassing = kinds.values[fact].map((value) => Number(values.includes(value) !== negated))
        return query.flagByKind(Uint8Array.from(kinds.valueOf[fact], (value) => isPassing[value]!))
      },
    facet: {
      part: 'options',
      countRows: ({ values, count }) => {
        const counts = count(PACKED_FACET_ROW_OFFSETS[fact], Math.max(0, ...values.keys()) + 1)
        return toFacetOptions(Array.from(values, ([id, value]) => [value, counts[id]!] as const))
      },
      countParts: (parts, { columns: { kinds } }) => {
        const values = kinds.values[fact]
        const valueOfKind = kinds.valueOf[fact]
        const counts = new Uint32Array(values.length)
        for (const part of parts) for (const [number, count] of part.kinds) counts[valueOfKind[number]!]! += count
        return toFacetOptions(values.map((value, i) => [value, counts[i]!] as const))
      },
    },
  }
}

const PROVINCE_CODES = 128
const toProvinceOptions = (counts: Uint32Array) =>
  toFacetOptions(Array.from(counts, (count, code) => [findProvinceByCode(code)?.th, count] as const))

/** `shift` is the offset of the province's code in the packed provinces of both engines. */
export function createProvinceListFilter(
  fact: 'project_province' | 'dept_province',
  shift: number,
): ReportFilter<ListFilterValue> {
  const column = sql`m.${raw(REPORT_FACTS[fact].column)}`
  return {
    matches: matchesList((row) => row[fact]),
    condition: ({ values, negated }) =>
      isOneOfSql(column, sql`${values.map((name) => findProvinceByName(name)?.code ?? -1)}::smallint[]`, negated),
    mask:
      ({ values, negated }) =>
      (query) => {
        // Code 0 means unknown and is never listed, so such rows fail the filter.
        const isListed = new Uint8Array(PROVINCE_CODES)
        for (const name of values) {
          const code = findProvinceByName(name)?.code
          if (code !== undefined) isListed[code] = 1
        }
        const expected = negated ? 0 : 1
        return query.flagByProvinces((provinces) => isListed[(provinces >>> shift) & 127] === expected)
      },
    facet: {
      part: 'options',
      countRows: ({ count }) =>
        toProvinceOptions(count(PACKED_FACET_ROW_OFFSETS.provinces, PROVINCE_CODES, { shift, mask: 127 })),
      countParts: (parts) => {
        const counts = new Uint32Array(PROVINCE_CODES)
        for (const part of parts) for (const [pair, count] of part.provinces) counts[(pair >> shift) & 127]! += count
        return toProvinceOptions(counts)
      },
    },
  }
}
