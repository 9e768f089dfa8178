import sql from 'sql-template-tag'
import {
  formatDistinctAgencyName,
  isLocalGovernmentName,
  parseAgencyName,
  parseAgencyUnit,
} from '#contract/catalogue/agency-name.ts'
import type { ListFilterValue } from '#contract/report/report-param-kinds.ts'
import type { AgencyUnit } from '#server/report/agency-unit.ts'
import type { ReportFilter } from '#server/report/report-filter.ts'

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
  mask: ({ values, negated }) => {
    const test = compileAgencyTest(values)
    return (matches) => matches.flagByAgencyUnit((unit) => test(unit) !== negated)
  },
  // Thousands of agencies: `findReportAgencies` counts and searches them.
  facet: null,
}
