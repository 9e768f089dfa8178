import sql, { join } from 'sql-template-tag'
import {
  formatDistinctAgencyName,
  isLocalGovernmentName,
  parseAgencyName,
  parseAgencyUnit,
} from '#contract/catalogue/agency-name.ts'
import { BID_STATES, getBidState } from '#contract/catalogue/bid-state.ts'
import { CONTRACT_END_PRESET_DAYS, MAX_CONTRACT_END_COUNT_DAYS } from '#contract/catalogue/contract-end.ts'
import { decideEligibility } from '#contract/report/eligibility.ts'
import { ELIGIBILITY_VERDICTS } from '#contract/report/eligibility-verdict.ts'
import type { ListFilterValue } from '#contract/report/report-param-kinds.ts'
import { findProvinceByName } from '#contract/thai/province.ts'
import { addDays } from '#contract/thai/thai-date.ts'
import {
  contractEndsWithinCondition,
  contractEndsWithinDaysSql,
  IS_ACTIVE_CONTRACT_SQL,
} from '#server/catalogue/contract/contract-ends-sql.ts'
import type { AgencyUnit } from '#server/catalogue/department/agency-unit.ts'
import { PROVINCE_CODES } from '#server/matching/packed-row.ts'
import {
  bidStateSql,
  CHANGE_STATUSES_BY_NUMBER,
  changedSinceLastVisitCondition,
  eligibilityVerdictSql,
  isOneOfSql,
  PROJECT_CHANGE_STATUS_NUMBER_SQL,
  projectMatchValueIdsSql,
} from '#server/report/match-sql.ts'
import {
  type MarkFacet,
  matchesList,
  type OptionFacet,
  type ReportFilter,
  toFacetOptions,
} from '#server/report/report-queries.ts'

export const BID_STATE_FILTER: ReportFilter<ListFilterValue, OptionFacet> = {
  matches: ({ values, negated }) => {
    const states = new Set(values)
    return (row, { today }) => states.has(getBidState(row, today)) !== negated
  },
  condition: ({ values, negated }, scope) =>
    isOneOfSql(sql`(${bidStateSql(scope)})`, sql`${[...values]}::text[]`, negated),
  select: ({ values, negated }) => {
    const isPassing = BID_STATES.map(({ code }) => Number(values.includes(code) !== negated))
    return (matches) => matches.flagByBidState(isPassing)
  },
  facet: { part: 'options', count: (facts) => toFacetOptions(facts.countBidStates()) },
}

const CHANGE_CODES: readonly (string | undefined)[] = CHANGE_STATUSES_BY_NUMBER

export const CHANGE_STATUS_FILTER: ReportFilter<ListFilterValue, OptionFacet> = {
  matches: matchesList((row) => row.change_status),
  condition: ({ values, negated }) =>
    isOneOfSql(
      sql`(${PROJECT_CHANGE_STATUS_NUMBER_SQL})`,
      sql`${values.map((code) => CHANGE_CODES.indexOf(code))}::int[]`,
      negated,
    ),
  select: ({ values, negated }) => {
    const isSelected = Uint8Array.from(CHANGE_CODES, (code) => Number(values.includes(String(code)) !== negated))
    return ({ changes }) => changes.map((change) => isSelected[change]!)
  },
  facet: {
    part: 'options',
    count: (facts) => {
      const counts = facts.countChanges()
      return toFacetOptions(CHANGE_CODES.map((code, number) => [code, counts[number]!] as const))
    },
  },
}

export const CHANGED_SINCE_VISIT_FILTER: ReportFilter<true> = {
  matches:
    () =>
    (row, { sinceVisit }) =>
      sinceVisit.has(row.project_id),
  condition: (_, scope) => changedSinceLastVisitCondition(scope),
  select: () => (matches) => matches.flagChangedSinceVisit(),
  facet: null,
  countsSinceVisit: true,
}

function countUpTo(values: Int32Array, max: number): number {
  let count = 0
  for (let i = 0; i < values.length; i += 1) count += Number(values[i]! <= max)
  return count
}

/** Filter by the next end of a running contract, in days from today. */
export const CONTRACT_END_FILTER: ReportFilter<number, MarkFacet> = {
  matches:
    (days) =>
    ({ contract_ends: contractEnds = [] }, { today }) =>
      contractEnds.some((end) => end >= today && end <= addDays(today, days)),
  condition: (days, { today }) =>
    sql`(m.status <> all (${projectMatchValueIdsSql('status', ['project_cancelled'])}) and m.project_id in (${contractEndsWithinDaysSql(days, today)}))`,
  select: (days) => (matches) => matches.flagByContractEnd(days),
  facet: {
    part: 'marks',
    countSql: ({ scope: { today }, search, coveredBy, otherFilters }) => {
      const counts = CONTRACT_END_PRESET_DAYS.map(
        (days) =>
          sql`json_build_object('value', ${String(days)}::text, 'count', count(*) filter (where e.days <= ${days}::int))`,
      )
      return sql`(select json_build_object('options', json_build_array(${join(counts)})) from (
        select min(c.ends_on) - ${today}::date as days from contracts c
        join report_matches m on m.project_id = c.project_id
        join projects p on p.project_id = c.project_id and p.status <> 'project_cancelled'
        where ${IS_ACTIVE_CONTRACT_SQL} and ${contractEndsWithinCondition(MAX_CONTRACT_END_COUNT_DAYS, today)}
          and ${coveredBy({ ...search, ends_within: MAX_CONTRACT_END_COUNT_DAYS })} and ${otherFilters} group by c.project_id
      ) e)`
    },
    count: ({ daysUntilContractEnds }) => ({
      options: CONTRACT_END_PRESET_DAYS.map((days) => ({
        value: String(days),
        count: countUpTo(daysUntilContractEnds, days),
      })),
    }),
  },
  widensTab: true,
}

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
  select:
    () =>
    ({ packageProvinces, selectByProvince }) =>
      selectByProvince(
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
  select: ({ values, negated }) => {
    const isPassing = ELIGIBILITY_VERDICTS.map(({ code }) => Number(values.includes(code) !== negated))
    return (matches) => matches.flagByEligibility(isPassing)
  },
  facet: {
    part: 'options',
    count: (facts) => {
      const counts = facts.countEligibility()
      return toFacetOptions(ELIGIBILITY_VERDICTS.map(({ code }, verdict) => [code, counts[verdict]!] as const))
    },
  },
}

/** Compiles values into a test. A local government's name without a province matches the bodies of every province. */
function compileAgencyTest(values: readonly string[]): (unit: AgencyUnit) => boolean {
  const agencies = new Set<string>()
  const agenciesByUnit = new Map<string, Set<string>>()
  for (const value of values) {
    const { agency, unit } = parseAgencyUnit(value)
    if (unit === undefined) agencies.add(agency)
    else agenciesByUnit.set(unit, (agenciesByUnit.get(unit) ?? new Set()).add(agency))
  }
  return ({ name, agency, unit }) => {
    if (agencies.has(agency) || agencies.has(name)) return true
    const ofUnit = agenciesByUnit.get(unit)
    return ofUnit !== undefined && (ofUnit.has(agency) || ofUnit.has(name))
  }
}

const ANY_PROVINCE = -1
const UNKNOWN_PROVINCE = 0

/** Lists the department names that match the values; an empty unit matches all units. */
const toDepartmentNames = (values: readonly string[]) =>
  values.flatMap((value) => {
    const { agency, unit = '' } = parseAgencyUnit(value)
    const parsed = parseAgencyName(agency)
    const body =
      parsed && isLocalGovernmentName(parsed.name)
        ? [{ name: parsed.name, province: parsed.province ?? UNKNOWN_PROVINCE, unit }]
        : []
    return [{ name: agency, province: ANY_PROVINCE, unit }, ...body]
  })

export const AGENCY_FILTER: ReportFilter<ListFilterValue> = {
  matches: ({ values, negated }) => {
    const test = compileAgencyTest(values)
    return ({ dept_name: name, dept_sub_name: unit, dept_province: province }) =>
      test({ name, agency: formatDistinctAgencyName(name, province), unit: unit || name }) !== negated
  },
  // Departments are few compared with projects, so they are searched once per statement instead of once per row.
  condition: ({ values, negated }) => {
    const names = toDepartmentNames(values)
    const condition = sql`m.department_id = any (array(
      select d.id from departments d
      join unnest(${names.map(({ name }) => name)}::text[], ${names.map(({ province }) => province)}::int[], ${names.map(({ unit }) => unit)}::text[])
        listed (name, province, unit) on listed.name = d.name
      where listed.province in (${ANY_PROVINCE}::int, coalesce(d.province, ${UNKNOWN_PROVINCE}::int))
        and listed.unit in ('', coalesce(nullif(d.sub_name, ''), d.name))))`
    return negated ? sql`(not ${condition})` : condition
  },
  select: ({ values, negated }) => {
    const test = compileAgencyTest(values)
    return (matches) => matches.selectByAgencyUnit((unit) => test(unit) !== negated)
  },
  // Thousands of agencies: `findReportAgencies` counts and searches them.
  facet: null,
}
