import sql, { empty, join, type Sql } from 'sql-template-tag'
import { CONTRACT_END_PRESET_DAYS, MAX_COUNTED_CONTRACT_END_DAYS } from '#contract/catalogue/contract-end.ts'
import { REPORT_EXPRESSION_PARAMS, type ReportParamName, type ReportSearch } from '#contract/report/report-params.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { contractEndsWithinCondition, IS_ACTIVE_CONTRACT_SQL } from './contract-ends-sql.ts'
import { reportMatchesFromClauseSql } from './deep/deep-search-hits.ts'
import { FAILED_FILTER_CONDITIONS_MASK_SHIFT } from './packed-row.ts'
import { pursuitNotesSql } from './pursuit-sql.ts'
import type { ReportScope } from './queries.ts'
import {
  buildReportFilterConditions,
  failedFilterConditionsMaskSql,
  joinFilterConditions,
  organisationMatchCondition,
  PROJECT_CHANGE_STATUS_NUMBER_SQL,
  removeDeepSearchCondition,
  reportCondition,
} from './report-filter-sql.ts'

/** Filters that have no facet. A row that fails one of these filters counts in no facet. */
const PARAMS_WITHOUT_FACET: ReadonlySet<ReportParamName> = new Set([
  ...REPORT_EXPRESSION_PARAMS,
  'project_id__in',
  'ai_deep_search__in',
  'project_hidden',
])

export type PackedFacetRows = {
  /** Rows that pass all filters or fail only one that has a facet, encoded as described in packed-row.ts. */
  readonly bytes: Uint8Array
  readonly bits: ReadonlyMap<ReportParamName, number>
}

export async function loadPackedFacetRows(db: Db, search: ReportSearch, scope: ReportScope): Promise<PackedFacetRows> {
  const conditions = removeDeepSearchCondition(buildReportFilterConditions(search, scope))
  const tab = reportCondition(scope, search)
  const counted = conditions.filter((condition) => !PARAMS_WITHOUT_FACET.has(condition.name))
  const required = conditions.filter((condition) => PARAMS_WITHOUT_FACET.has(condition.name))
  const [packed] = await db.query<{ bytes: Uint8Array | null }>(sql`
    select string_agg(f.packed || int4send(f.change | (f.mask << ${FAILED_FILTER_CONDITIONS_MASK_SHIFT}::int)), ''::bytea) as bytes
    from (
      select m.packed, ${PROJECT_CHANGE_STATUS_NUMBER_SQL} as change, (${failedFilterConditionsMaskSql(counted)})::int as mask
      from ${reportMatchesFromClauseSql(search, scope)}
      where ${tab} and ${joinFilterConditions(required)}
      offset 0 -- keeps each condition evaluated once a row
    ) f
    ${counted.length > 1 ? sql`where f.mask & (f.mask - 1) = 0` : empty}`)
  return { bytes: packed?.bytes ?? new Uint8Array(0), bits: new Map(counted.map(({ name }, i) => [name, 1 << i])) }
}

export type PersonalFacetCounts = {
  bookmarked: number
  hidden: number
  labelled: number
  labels: { value: string; count: number }[]
  teamLabelled: number
  teamLabels: { value: string; count: number }[]
  stages: { value: string; count: number }[]
  owners: { value: string; count: number }[]
  noted: number
  ending: { value: string; count: number }[]
  /** The organisation's `max_project_budget` in baht, as text. */
  max_budget: string | null
}

export async function loadPersonalFacetCounts(
  db: Db,
  search: ReportSearch,
  scope: ReportScope,
): Promise<PersonalFacetCounts> {
  const { organisationId, userId } = scope
  const conditions = buildReportFilterConditions(search, scope)
  const without = (name: ReportParamName) =>
    joinFilterConditions(conditions.filter((condition) => condition.name !== name))
  // With `offset 0` the planner does one primary-key lookup per mark.
  const joinMarkedMatch = (name: ReportParamName, rows = reportCondition(scope, search)) => sql`
    cross join lateral (
      select m.project_id from report_matches m where m.project_id = mark.project_id and ${rows} and ${without(name)} offset 0
    ) found`
  const joinOwnMark = (name: ReportParamName, rows?: Sql) =>
    sql`${joinMarkedMatch(name, rows)} where mark.user_id = ${userId}::int`
  const pursued = (name: ReportParamName, value: Sql) => sql`coalesce((
    select json_agg(l) from (
      select ${value} as value, count(*) from pursuits mark ${joinMarkedMatch(name)}
      where mark.organisation_id = ${organisationId}::int and ${value} is not null group by 1
    ) l), '[]')`
  const endsSearch = { ...search, ends_within: MAX_COUNTED_CONTRACT_END_DAYS }
  const nearest = sql`
    select min(c.ends_on) - ${scope.today}::date as days from contracts c
    join report_matches m on m.project_id = c.project_id
    join projects p on p.project_id = c.project_id and p.status <> 'project_cancelled'
    where ${IS_ACTIVE_CONTRACT_SQL} and ${contractEndsWithinCondition(MAX_COUNTED_CONTRACT_END_DAYS, scope.today)}
      and ${reportCondition(scope, endsSearch)} and ${without('ends_within')} group by c.project_id`
  const within = CONTRACT_END_PRESET_DAYS.map(
    (days) =>
      sql`json_build_object('value', ${String(days)}::text, 'count', count(*) filter (where e.days <= ${days}::int))`,
  )
  const [counts] = await db.query<PersonalFacetCounts>(sql`
    with labelled as materialized (
      select mark.label_id, mark.project_id from label_assignments mark ${joinOwnMark('project_label__in')}
    ), team_labelled as materialized (
      select mark.label_id, mark.project_id from team_label_assignments mark ${joinMarkedMatch('team_label__in')} where mark.organisation_id = ${organisationId}::int
    )
    select
      (select count(*) from bookmarks mark ${joinOwnMark('project_bookmark')}) as bookmarked,
      (select count(*) from hidden_projects mark ${joinOwnMark('project_hidden', organisationMatchCondition(scope, search))}) as hidden,
      (select count(distinct project_id) from labelled) as labelled,
      coalesce((select json_agg(l) from (select label_id as value, count(*) from labelled group by 1) l), '[]') as labels,
      (select count(distinct project_id) from team_labelled) as "teamLabelled",
      coalesce((select json_agg(l) from (select label_id as value, count(*) from team_labelled group by 1) l), '[]') as "teamLabels",
      ${pursued('pursuit_stage__in', sql`mark.stage`)} as stages,
      ${pursued('pursuit_owner__in', sql`mark.owner_id::text`)} as owners,
      (select count(*) from (select distinct n.project_id from ${pursuitNotesSql(organisationId)}) mark ${joinMarkedMatch('pursuit_has_notes')}) as noted,
      (select json_build_array(${join(within)}) from (${nearest}) e) as ending,
      o.customer_config ->> 'max_project_budget' as max_budget
    from organisations o where o.id = ${organisationId}::int`)
  if (!counts) throw new Error(`no organisation ${organisationId}`)
  return counts
}

export async function loadProjectMatchValues(db: Db): Promise<Map<number, string>> {
  const rows = await db.query<{ id: number; value: string }>(sql`select id, value from match_values`)
  return new Map(rows.map((row) => [row.id, row.value]))
}
