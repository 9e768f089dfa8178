import sql from 'sql-template-tag'
import { decideEligibility } from '#contract/report/eligibility.ts'
import { ELIGIBILITY_VERDICTS } from '#contract/report/eligibility-verdict.ts'
import type { ListFilterValue } from '#contract/report/report-param-kinds.ts'
import { findProvinceByName } from '#contract/thai/province.ts'
import { eligibilityVerdictSql } from '#server/report/eligibility/eligibility-sql.ts'
import { PROVINCE_CODES } from '#server/report/packed-row.ts'
import { type OptionFacet, type ReportFilter, toFacetOptions } from '#server/report/report-filter.ts'

/**
 * Filters by the provinces of the organisation's package: that of the project or, if unknown, of its department. Matching
 * applies the same rule (`findExceededMatchLimit`), so in the report only followed projects fail and, in a package of all
 * provinces, projects without one. In the whole market many do.
 */
export const PACKAGE_PROVINCE_FILTER: ReportFilter<true, OptionFacet> = {
  matches: () => {
    const codeOf = (name: string | null) => (name === null ? undefined : findProvinceByName(name)?.code)
    return (row, { packageProvinces }) =>
      packageProvinces.has(codeOf(row.project_province) ?? codeOf(row.dept_province) ?? 0)
  },
  condition: (_, { packageProvinces = new Set() }) =>
    sql`coalesce(coalesce(m.project_province, m.dept_province) = any (${[...packageProvinces]}::smallint[]), false)`,
  mask:
    () =>
    ({ packageProvinces, flagByProvince }) =>
      flagByProvince(
        'either',
        Uint8Array.from({ length: PROVINCE_CODES }, (_, code) => Number(packageProvinces.has(code))),
      ),
  facet: {
    part: 'options',
    count: (facts) => {
      const counts = facts.countProvinces('either')
      return toFacetOptions([['true', [...facts.packageProvinces].reduce((sum, code) => sum + counts[code]!, 0)]])
    },
  },
}

export const ELIGIBILITY_FILTER: ReportFilter<ListFilterValue, OptionFacet> = {
  matches: ({ values, negated }) => {
    const verdicts = new Set(values)
    return (row, { bidder, today }) => verdicts.has(decideEligibility(row, bidder, today).verdict) !== negated
  },
  condition: ({ values, negated }, { eligibility }) => {
    if (!eligibility) throw new Error('scope without qualifications')
    const codes = ELIGIBILITY_VERDICTS.flatMap(({ code }, verdict) =>
      values.includes(code) !== negated ? [verdict] : [],
    )
    return sql`(${eligibilityVerdictSql(eligibility)}) = any (${codes}::smallint[])`
  },
  mask: ({ values, negated }) => {
    const isPassing = ELIGIBILITY_VERDICTS.map(({ code }) => values.includes(code) !== negated)
    return (matches) => matches.flagByEligibility((verdict) => isPassing[verdict]!)
  },
  facet: {
    part: 'options',
    count: (facts) => {
      const counts = facts.countEligibility()
      return toFacetOptions(ELIGIBILITY_VERDICTS.map(({ code }, verdict) => [code, counts[verdict]!] as const))
    },
  },
}
