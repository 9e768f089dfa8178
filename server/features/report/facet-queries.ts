import sql, { empty, type Sql } from 'sql-template-tag'
import type { ReportParamName, ReportSearch } from '#contract/report-params.ts'
import type { Db } from '#server/db/db.ts'
import {
  allOf,
  CHANGE_NUMBER,
  type FilterCondition,
  failureMask,
  filterConditions,
  tabCondition,
} from './filter-sql.ts'
import type { ReportScope } from './queries.ts'

/** Filters that have no facet of their own: a row that fails one counts nowhere. */
const UNCOUNTED: ReadonlySet<ReportParamName> = new Set([
  'project_name__in',
  'project_id__in',
  'project_dept_sub__in',
  'project_winner_name__in',
  'ai_deep_search__in',
])

export type PackedRows = {
  /** `ROW_BYTES` a row; only rows that fail at most one counted filter. */
  readonly bytes: Uint8Array
  /** Bit of the failure mask for each counted filter that is set. */
  readonly bits: ReadonlyMap<ReportParamName, number>
}

/** All that the facets count from, for the rows of the tab. */
export async function loadPackedRows(db: Db, search: ReportSearch, scope: ReportScope): Promise<PackedRows> {
  const conditions = filterConditions(search, scope)
  const counted = conditions.filter((condition) => !UNCOUNTED.has(condition.name))
  const [packed] = await db.query<{ bytes: Uint8Array | null }>(sql`
    select string_agg(f.packed || int2send(f.change::smallint) || int4send(f.mask), ''::bytea) as bytes
    from (
      select m.packed, ${CHANGE_NUMBER} as change, ${failureMask(counted)} as mask
      from project_matches m
      where ${tabCondition(scope.organisationId, search.is_archived === true)} and ${allOf(conditions.filter((condition) => UNCOUNTED.has(condition.name)))}
      offset 0 -- keeps each condition evaluated once a row
    ) f
    ${counted.length > 1 ? sql`where f.mask & (f.mask - 1) = 0` : empty}`)
  return { bytes: packed?.bytes ?? new Uint8Array(0), bits: new Map(counted.map(({ name }, i) => [name, 1 << i])) }
}

const without = (conditions: readonly FilterCondition[], name: ReportParamName) =>
  allOf(conditions.filter((condition) => condition.name !== name))

export type PersonalCounts = {
  /** Starred projects with every filter but the star applied. */
  bookmarked: number
  /** Projects that carry any label, with every filter but the labels applied. */
  labelled: number
  /** Of the other tab, with every filter applied. */
  other_tab: number
  labels: { value: string; count: number }[]
}

/** Counts that start from what the user marked, which is little, not from the organisation's rows, which are many. */
export async function loadPersonalCounts(db: Db, search: ReportSearch, scope: ReportScope): Promise<PersonalCounts> {
  const { organisationId, userId } = scope
  const archived = search.is_archived === true
  const tab = tabCondition(organisationId, archived)
  const conditions = filterConditions(search, scope)
  const marked = (table: Sql) =>
    sql`${table} mark join project_matches m on m.project_id = mark.project_id and ${tab} and mark.user_id = ${userId}::int`
  const labelled = sql`from ${marked(sql`label_assignments`)} where ${without(conditions, 'project_label__in')}`
  const [counts] = await db.query<PersonalCounts>(sql`
    select
      (select count(*) from ${marked(sql`bookmarks`)} where ${without(conditions, 'project_bookmark')}) as bookmarked,
      (select count(distinct m.project_id) ${labelled}) as labelled,
      (select count(*) from project_matches m where ${tabCondition(organisationId, !archived)} and ${allOf(conditions)}) as other_tab,
      coalesce((select json_agg(l) from (select mark.label_id as value, count(*) ${labelled} group by 1) l), '[]') as labels`)
  if (!counts) throw new Error('an aggregate without a row')
  return counts
}

/** Value of each number in the match columns. */
export async function loadMatchValues(db: Db): Promise<Map<number, string>> {
  const rows = await db.query<{ id: number; value: string }>(sql`select id, value from match_values`)
  return new Map(rows.map((row) => [row.id, row.value]))
}
