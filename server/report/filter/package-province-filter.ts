import sql from 'sql-template-tag'
import { findProvinceByName } from '#contract/thai/province.ts'
import { PACKED_FACET_ROW_OFFSETS } from '#server/report/packed-row.ts'
import { toFacetOptions } from './facet-options.ts'
import type { ReportFilter } from './report-filter.ts'

const PAIR_COUNT = 1 << 14

/** Returns 1 for each pair of provinces, packed as in `ProjectColumns.provinces`, that the package covers. */
const flagCoveredPairs = (codes: ReadonlySet<number>) =>
  Uint8Array.from({ length: PAIR_COUNT }, (_, pair) => Number(codes.has(pair >> 7 || pair & 127)))

/**
 * Filters by the provinces of the organisation's package: that of the project or, if unknown, of its department. Matching
 * applies the same rule (`findExceededMatchLimit`), so in the report only followed projects fail and, in a package of all
 * provinces, projects without one. In the whole market many do.
 */
export const PACKAGE_PROVINCE_FILTER: ReportFilter<true> = {
  matches: () => {
    const codeOf = (name: string | null) => (name === null ? undefined : findProvinceByName(name)?.code)
    return (row, { packageProvinces }) =>
      packageProvinces.has(codeOf(row.project_province) ?? codeOf(row.dept_province) ?? 0)
  },
  condition: (_, { packageProvinces = new Set() }) =>
    sql`coalesce(coalesce(m.project_province, m.dept_province) = any (${[...packageProvinces]}::smallint[]), false)`,
  mask: () => (query) => {
    const isCovered = flagCoveredPairs(query.packageProvinces)
    return query.flagByProvinces((pair) => isCovered[pair] === 1)
  },
  facet: {
    part: 'options',
    countRows: ({ count, packageProvinces }) => {
      const isCovered = flagCoveredPairs(packageProvinces)
      const counts = count(PACKED_FACET_ROW_OFFSETS.provinces, PAIR_COUNT, { mask: PAIR_COUNT - 1 })
      return toFacetOptions([['true', counts.reduce((sum, n, pair) => sum + n * isCovered[pair]!, 0)]])
    },
    countParts: (parts, { packageProvinces }) => {
      const isCovered = flagCoveredPairs(packageProvinces)
      let total = 0
      for (const { provinces } of parts) for (const [pair, count] of provinces) total += isCovered[pair]! * count
      return toFacetOptions([['true', total]])
    },
  },
}
