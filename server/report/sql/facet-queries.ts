import sql, { empty, join, type Sql } from 'sql-template-tag'
import type { ReportFilterName, ReportSearch } from '#contract/report/report-params.ts'
import type { Db } from '#server/platform/engine/db.ts'
import type { CountedAgencyUnit } from '#server/report/agency-unit.ts'
import { toAgencyUnit } from '#server/report/agency-unit.ts'
import { PROJECT_CHANGE_STATUS_NUMBER_SQL } from '#server/report/change-status-sql.ts'
import { reportMatchesFromClauseSql } from '#server/report/deep/semantic-search-hits.ts'
import { eligibilityVerdictSql } from '#server/report/eligibility/eligibility-sql.ts'
import { COLUMN_FACETS, MARK_FACETS, MARK_FACETS_WITH_UNMARKED_OPTION } from '#server/report/filter/report-filters.ts'
import { FAILED_FILTER_CONDITIONS_MASK_SHIFT, PACKED_ELIGIBILITY_SHIFT } from '#server/report/packed-row.ts'
import {
  buildReportFilterConditions,
  failedFilterConditionsMaskSql,
  joinFilterConditions,
  organisationMatchCondition,
  removeSemanticSearchCondition,
  reportSearchCondition,
} from '#server/report/report-filter-sql.ts'
import type { MarkFacetCounts } from '#server/report/report-queries.ts'
import type { ReportScope } from '#server/report/report-scope.ts'
import { resolveReportSearchScope } from '#server/report/with-resolved-searches.ts'

/** Filters whose facet is counted from packed rows: a row that fails only one of them counts in its facet. */
const PACKED_FACET_FILTERS: ReadonlySet<ReportFilterName> = new Set(
  [...COLUMN_FACETS, ...MARK_FACETS_WITH_UNMARKED_OPTION].map(({ name }) => name),
)

export type PackedFacetRows = {
  /** Rows that pass all filters or fail only one that has a facet, encoded as described in packed-row.ts. */
  readonly bytes: Uint8Array
  readonly bits: ReadonlyMap<ReportFilterName, number>
}

export async function loadPackedFacetRows(db: Db, search: ReportSearch, scope: ReportScope): Promise<PackedFacetRows> {
  const conditions = removeSemanticSearchCondition(buildReportFilterConditions(search, scope))
  const tab = reportSearchCondition(scope, search)
  const counted = conditions.filter((condition) => PACKED_FACET_FILTERS.has(condition.name))
  const required = conditions.filter((condition) => !PACKED_FACET_FILTERS.has(condition.name))
  const [packed] = await db.query<{ bytes: Uint8Array | null }>(sql`
    select string_agg(f.packed || int4send(f.change | (f.verdict << ${PACKED_ELIGIBILITY_SHIFT}::int) | (f.mask << ${FAILED_FILTER_CONDITIONS_MASK_SHIFT}::int)), ''::bytea) as bytes
    from (
      select m.packed, ${PROJECT_CHANGE_STATUS_NUMBER_SQL} as change, ${eligibilityVerdictSql(scope.eligibility!)} as verdict,
        (${failedFilterConditionsMaskSql(counted)})::int as mask
      from ${reportMatchesFromClauseSql(search, scope)}
      where ${tab} and ${joinFilterConditions(required)}
      offset 0 -- keeps each condition evaluated once a row
    ) f
    ${counted.length > 1 ? sql`where f.mask & (f.mask - 1) = 0` : empty}`)
  return { bytes: packed?.bytes ?? new Uint8Array(0), bits: new Map(counted.map(({ name }, i) => [name, 1 << i])) }
}

export async function loadMarkFacetCounts(db: Db, search: ReportSearch, scope: ReportScope): Promise<MarkFacetCounts> {
  const { organisationId } = scope
  const conditions = buildReportFilterConditions(search, scope)
  const counts = MARK_FACETS.map(({ name, facet }) => {
    const otherFilters = joinFilterConditions(conditions.filter((condition) => condition.name !== name))
    // `offset 0` forces the planner to do one primary-key lookup per mark.
    const joinMatchIn = (covered: Sql) => sql`
      cross join lateral (
        select m.project_id from report_matches m where m.project_id = mark.project_id and ${covered} and ${otherFilters} offset 0
      ) found`
    const countSql = facet.countSql({
      scope,
      search,
      otherFilters,
      joinMatch: joinMatchIn(reportSearchCondition(scope, search)),
      joinMatchEvenHidden: joinMatchIn(organisationMatchCondition(scope, search)),
      coveredBy: (other) => reportSearchCondition(scope, other),
    })
    return sql`${name}::text, ${countSql}`
  })
  const [result] = await db.query<MarkFacetCounts>(sql`
    select json_build_object(${join(counts)}) as marks, o.customer_config ->> 'max_project_budget' as max_budget
    from organisations o where o.id = ${organisationId}::int`)
  if (!result) throw new Error(`no organisation ${organisationId}`)
  return result
}

export async function loadAgencyUnitCounts(
  db: Db,
  search: ReportSearch,
  requestScope: ReportScope,
  without: ReportFilterName,
): Promise<CountedAgencyUnit[]> {
  const scope = await resolveReportSearchScope(db, [search], requestScope)
  const conditions = removeSemanticSearchCondition(buildReportFilterConditions(search, scope))
  const otherFilters = joinFilterConditions(conditions.filter(({ name }) => name !== without))
  type Row = { name: string; sub_name: string; province: number | null; count: number; search_text: string }
  const rows = await db.query<Row>(sql`
    select d.name, d.sub_name, d.province, counted.count, t.dept_search as search_text
    from (
      select m.department_id, count(*)::int as count from ${reportMatchesFromClauseSql(search, scope)}
      where ${reportSearchCondition(scope, search)} and ${otherFilters} group by m.department_id
    ) counted
    join departments d on d.id = counted.department_id
    join department_texts t on t.department_id = counted.department_id`)
  return rows.map(({ count, search_text, ...unit }) => ({ ...toAgencyUnit(unit), count, searchText: search_text }))
}

export async function loadProjectMatchValues(db: Db): Promise<Map<number, string>> {
  const rows = await db.query<{ id: number; value: string }>(sql`select id, value from match_values`)
  return new Map(rows.map((row) => [row.id, row.value]))
}
