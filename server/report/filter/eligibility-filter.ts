import sql from 'sql-template-tag'
import { decideEligibility } from '#contract/report/eligibility.ts'
import { ELIGIBILITY_VERDICTS } from '#contract/report/eligibility-verdict.ts'
import type { ListFilterValue } from '#contract/report/report-param-kinds.ts'
import { eligibilityVerdictSql } from '#server/report/eligibility/eligibility-sql.ts'
import { PACKED_ELIGIBILITY_SHIFT, PACKED_FACET_ROW_OFFSETS } from '#server/report/packed-row.ts'
import { toFacetOptions } from './facet-options.ts'
import type { ReportFilter } from './report-filter.ts'

const toOptions = (counts: ArrayLike<number>) =>
  toFacetOptions(ELIGIBILITY_VERDICTS.map(({ code }, verdict) => [code, counts[verdict]!] as const))

export const ELIGIBILITY_FILTER: ReportFilter<ListFilterValue> = {
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
    return (query) => query.flagByEligibility((verdict) => isPassing[verdict]!)
  },
  facet: {
    part: 'options',
    countRows: ({ count }) =>
      toOptions(
        count(PACKED_FACET_ROW_OFFSETS.maskLow, ELIGIBILITY_VERDICTS.length, {
          shift: PACKED_ELIGIBILITY_SHIFT,
          mask: 3,
        }),
      ),
    countParts: (parts) =>
      toOptions(ELIGIBILITY_VERDICTS.map((_, i) => parts.reduce((sum, { eligibility }) => sum + eligibility[i]!, 0))),
  },
}
