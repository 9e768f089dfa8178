import sql, { join, type Sql } from 'sql-template-tag'
import { DEFAULT_PURSUIT_STAGES } from '#contract/account/pursuit-settings.ts'
import {
  AWARDED_PROJECT_MOVEMENTS,
  CLOSED_PROJECT_MOVEMENTS,
  CLOSING_SOON_DAYS,
  DRAFT_PROJECT_MOVEMENTS,
  INVITED_PROJECT_MOVEMENTS,
} from '#contract/catalogue/bid-state.ts'
import { CONSTRUCTION_METHOD_TYPES } from '#contract/report/eligibility.ts'
import type { ListFilterValue } from '#contract/report/report-param-kinds.ts'
import { UNASSIGNED_FILTER_VALUE } from '#contract/report/report-params.ts'
import { inLatestDataLoadsCondition } from '#server/matching/latest-loads.ts'
import { type EligibilityTable, METHOD_GROUPS } from '#server/report/eligibility/eligibility-table.ts'

/** SQL versions of the rules in contract/catalogue/bid-state.ts. `m` is `report_matches`. */

type DayScope = { readonly today: string }
type VisitScope = { readonly visit?: { readonly loads: readonly number[] } | undefined }

/**
 * Returns ids of values in the match columns as an uncorrelated subquery, so PostgreSQL evaluates it once per
 * statement.
 */
export const projectMatchValueIdsSql = (kind: string, values: readonly string[]) =>
  sql`array(select v.id from match_values v where v.kind = ${kind}::text and v.value = any (${[...values]}::text[]))`

/** SQL version of the rule for `awarded` in `getBidState`. */
const IS_AWARDED_SQL = sql`(m.winner_announced_on is not null or m.status = any (${projectMatchValueIdsSql('status', ['contract_created'])})
  or m.movement = any (${projectMatchValueIdsSql('movement', AWARDED_PROJECT_MOVEMENTS)}))`

const isAtStep = (movements: readonly string[]) =>
  sql`m.movement = any (${projectMatchValueIdsSql('movement', movements)})`

export const bidStateSql = ({ today }: DayScope) => sql`case
  when ${IS_AWARDED_SQL} then 'awarded'
  when m.status <> all (${projectMatchValueIdsSql('status', ['in_progress'])}) or ${isAtStep(CLOSED_PROJECT_MOVEMENTS)}
    or coalesce(m.submission_ends_on < ${today}::date, false) then 'closed'
  when ${isAtStep(INVITED_PROJECT_MOVEMENTS)} then 'open'
  when ${isAtStep(DRAFT_PROJECT_MOVEMENTS)} or coalesce(m.submission_ends_on, m.bidding_invited_on) is null then 'upcoming'
  else 'open' end`

const isNear = (column: Sql, { today }: DayScope) =>
  sql`${column} between ${today}::date and ${today}::date + ${CLOSING_SOON_DAYS}::int`

/**
 * SQL version of `getNearDeadlineKind`: a kind, or null. Tests the dates first, so that the bid state is computed only
 * for the few rows with a date nearby.
 */
export const nearDeadlineKindSql = (scope: DayScope) => sql`case
  when ${isNear(sql`m.submission_ends_on`, scope)} and (${bidStateSql(scope)}) = 'open' then 'closing'
  when ${isNear(sql`m.draft_discussion_ends_on`, scope)} and (${bidStateSql(scope)}) = 'upcoming' then 'comment' end`

/** SQL for new and changed projects. `m` is `report_matches`. */

export type DataLoadConditionFn = (load: Sql) => Sql
export const createDataLoadConditionFn =
  (loads: readonly number[]): DataLoadConditionFn =>
  (load) =>
    sql`${load} = any (${[...loads]}::bigint[])`

/** Condition for New (D3): the project was announced in one of these loads and is not awarded. */
export const announcedInDataLoadsCondition = (inLoads: DataLoadConditionFn) =>
  sql`(${inLoads(sql`m.first_load`)} and not ${IS_AWARDED_SQL})`

export const changedInDataLoadsCondition = (inLoads: DataLoadConditionFn) =>
  sql`(${inLoads(sql`m.changed_load`)} and m.changed_load <> m.first_load)`

/** By the number that SQL and the engine in memory use for a status; 0 is unused. */
export const CHANGE_STATUSES_BY_NUMBER = [undefined, 'new', 'updated', 'no_change'] as const

export const PROJECT_CHANGE_STATUS_NUMBER_SQL = sql`case
  when ${announcedInDataLoadsCondition(inLatestDataLoadsCondition)} then 1
  when ${changedInDataLoadsCondition(inLatestDataLoadsCondition)} then 2
  else 3 end`

export const changedSinceLastVisitCondition = ({ visit }: VisitScope): Sql => {
  if (!visit || visit.loads.length === 0) return sql`false`
  const inLoads = createDataLoadConditionFn(visit.loads)
  return sql`(${announcedInDataLoadsCondition(inLoads)} or coalesce(${changedInDataLoadsCondition(inLoads)}, false))`
}

/**
 * SQL for marks of a user and for an organisation's team work in report filters, sort order and rows. `m` is any table
 * with a `project_id`.
 */

export const hiddenProjectIdsSql = (userId: number): Sql =>
  sql`select h.project_id from hidden_projects h where h.user_id = ${userId}::int`

/** FROM item `s (stage, place)`: the stages `{ id, name, kind }` with their position on the board. */
const stagesOf = (organisation: Sql) => sql`jsonb_array_elements(coalesce(
    (select b.stages from pursuit_boards b where b.organisation_id = ${organisation}), ${JSON.stringify(DEFAULT_PURSUIT_STAGES)}::jsonb
  )) with ordinality s (stage, place)`

const MEMBER_NAME = sql`coalesce(nullif(concat_ws(' ', u.first_name, u.last_name), ''), u.email)`

export const stageLabelAndMemberNamesSql = (organisation: Sql): Sql => sql`jsonb_build_object(
    'stages', (select jsonb_agg(jsonb_build_object('id', s.stage ->> 'id', 'name', s.stage ->> 'name') order by s.place) from ${stagesOf(organisation)}),
    'labels', (select coalesce(jsonb_agg(jsonb_build_object('id', l.id, 'name', l.name)), '[]') from team_labels l where l.organisation_id = ${organisation}),
    'members', (select coalesce(jsonb_agg(jsonb_build_object('id', u.id, 'name', ${MEMBER_NAME})), '[]') from users u where u.organisation_id = ${organisation})
  )`

export const pursuitNotesSql = (organisationId: number): Sql =>
  sql`pursuit_notes n where n.organisation_id = ${organisationId}::int and n.deleted_at is null`

/** FROM item `l` (`project_id`, `label_id`) with the team's label assignments. */
const teamLabelAssignmentsSql = (organisationId: number): Sql =>
  sql`team_label_assignments l where l.organisation_id = ${organisationId}::int`

/**
 * Condition for projects with one of these marks. `markedIds` selects the ids of all marked projects, `having` narrows
 * it to some values. The value `UNASSIGNED_FILTER_VALUE` selects projects without a mark.
 */
export function hasMarkCondition(
  { values, negated }: ListFilterValue,
  markedIds: Sql,
  having: (values: readonly string[]) => Sql,
): Sql {
  const marks = values.filter((value) => value !== UNASSIGNED_FILTER_VALUE)
  const conditions = [
    ...(marks.length > 0 ? [sql`m.project_id in (${markedIds} and ${having(marks)})`] : []),
    ...(marks.length < values.length ? [sql`m.project_id not in (${markedIds})`] : []),
  ]
  return sql`(${join(conditions, ' or ')}) is ${negated ? sql`not true` : sql`true`}`
}

export const teamLabelCondition = (filter: ListFilterValue, organisationId: number): Sql =>
  hasMarkCondition(
    filter,
    sql`select l.project_id from ${teamLabelAssignmentsSql(organisationId)}`,
    (ids) => sql`l.label_id = any (${[...ids]}::text[])`,
  )

export const pursuitStagePositionSql = (organisationId: number): Sql => sql`(
  select s.place from pursuits c, ${stagesOf(sql`${organisationId}::int`)}
  where c.organisation_id = ${organisationId}::int and c.project_id = m.project_id and s.stage ->> 'id' = c.stage)`

export const pursuitNoteCountSql = (organisationId: number): Sql =>
  sql`(select nullif(count(*), 0) from ${pursuitNotesSql(organisationId)} and n.project_id = m.project_id)`

/** Pursuits that show whether the team wants such projects: `project_id`, `kind` and the day of the change. */
export const pursuitEvidenceSql = (organisationId: number): Sql => sql`
  select c.project_id, case when s.stage ->> 'kind' = 'won' then 'won' else c.decision end as kind, c.changed_at as at
  from pursuits c left join ${stagesOf(sql`${organisationId}::int`)} on s.stage ->> 'id' = c.stage
  where c.organisation_id = ${organisationId}::int and c.decision is not null`

export const pursuitsSql = (organisationId: number, ids: Sql): Sql => sql`
  select project_id, json_build_object('stage', c.stage, 'stage_name', (
      select s.stage ->> 'name' from ${stagesOf(sql`${organisationId}::int`)} where s.stage ->> 'id' = c.stage
    ), 'owner', c.owner_id, 'owner_name', (
      select ${MEMBER_NAME} from users u where u.id = c.owner_id
    ), 'notes', coalesce(k.notes, 0)) as value
  from (
    select c.project_id, c.stage, c.owner_id from pursuits c where c.organisation_id = ${organisationId}::int and c.project_id = any (${ids})
  ) c
  full join (
    select n.project_id, count(*) as notes from ${pursuitNotesSql(organisationId)} and n.project_id = any (${ids}) group by n.project_id
  ) k using (project_id)`

/**
 * Version of pursuits and notes: the board's version, which every change increments in its transaction, plus that
 * transaction's id, which differs after a database restore. Null if the organisation never had any.
 */
export const pursuitBoardVersionSql = (organisationId: number): Sql =>
  sql`(select b.version || ' ' || b.xmin::text from pursuit_boards b where b.organisation_id = ${organisationId}::int)`

/**
 * Columns for the in-memory cache: `[project, stage, owner, notes, labels]` per project, and the stage ids in board
 * order.
 */
export const pursuitMemoryCacheColumnsSql = (organisationId: number): Sql => sql`
  ${pursuitBoardVersionSql(organisationId)} as version,
  (select json_agg(s.stage ->> 'id' order by s.place) from ${stagesOf(sql`${organisationId}::int`)}) as stages,
  coalesce((
    select json_agg(json_build_array(w.project_id, w.stage, w.owner_id, w.notes, w.labels))
    from (
      select w.project_id, max(w.stage) as stage, max(w.owner_id) as owner_id, count(*) filter (where w.is_note) as notes,
        coalesce(json_agg(w.label_id) filter (where w.label_id is not null), '[]') as labels
      from (
        select c.project_id, c.stage, c.owner_id, false as is_note, null as label_id from pursuits c where c.organisation_id = ${organisationId}::int
        union all select n.project_id, null, null, true, null from ${pursuitNotesSql(organisationId)}
        union all select l.project_id, null, null, false, l.label_id from ${teamLabelAssignmentsSql(organisationId)}
      ) w group by w.project_id
    ) w
  ), '[]') as pursued`

/** Returns the last transaction that changed a user's marks; null if the user never had any. */
export const markVersionSql = (userId: number): Sql =>
  sql`(select v.version from mark_versions v where v.user_id = ${userId}::int)`

/** Columns for the in-memory cache: the ids of the projects that the user has marked, and their version. */
export const markMemoryCacheColumnsSql = (userId: number): Sql => sql`
  ${markVersionSql(userId)} as version,
  array(${hiddenProjectIdsSql(userId)}) as hidden,
  array(select b.project_id from bookmarks b where b.user_id = ${userId}::int) as bookmarked,
  (select coalesce(json_object_agg(l.label_id, l.ids), '{}') from (
    select a.label_id, array_agg(a.project_id) as ids from label_assignments a where a.user_id = ${userId}::int group by a.label_id
  ) l) as labels`

/**
 * Returns the last transaction that wrote an organisation's matches; null if there was none since versions were
 * introduced.
 */
export const matchVersionSql = (organisationId: number): Sql =>
  sql`(select v.version::text from match_versions v where v.organisation_id = ${organisationId}::int)`

/** SQL version of `decideEligibility` on `m` (`report_matches`): an index into `ELIGIBILITY_VERDICTS`. */
export function eligibilityVerdictSql(table: EligibilityTable): Sql {
  const [ofOpen, ofSpecific, ofInvited] = table.groups.map((verdicts) => verdictSql(table, verdicts))
  const [open, specific] = METHOD_GROUPS
  return sql`case when m.method = any (${projectMatchValueIdsSql('method', specific)}) then ${ofSpecific}
    when m.method = any (${projectMatchValueIdsSql('method', open)}) then ${ofOpen} else ${ofInvited} end`
}

/** Same arithmetic as `getEligibilityCell`; `width_bucket` counts the lower bounds up to a value. */
function verdictSql({ budgets, announcedOn, submittedOn }: EligibilityTable, verdicts: Uint8Array): Sql {
  if (verdicts.length === 1) return sql`${verdicts[0]}::smallint`
  const construct = sql`(m.method_type = any (${projectMatchValueIdsSql('method_type', CONSTRUCTION_METHOD_TYPES)}))::int`
  const announced = sql`coalesce(width_bucket(coalesce(m.bidding_invited_on, m.draft_published_on, m.movement_on), ${announcedOn}::date[]) + 1, 0)`
  const budget = sql`coalesce(width_bucket(m.budget_satang, ${budgets}::bigint[]) + 1, 0)`
  const submitted = sql`coalesce(width_bucket(m.submission_ends_on, ${submittedOn}::date[]) + 1, 0)`
  return sql`(${[...verdicts]}::smallint[])[1 + ((${construct} * ${announcedOn.length + 2}::int + ${announced})
    * ${budgets.length + 2}::int + ${budget}) * ${submittedOn.length + 2}::int + ${submitted}]`
}

/** A row whose value is unknown is in no list, so it passes a negated filter. */
export const isOneOfSql = (column: Sql, ids: Sql, negated: boolean) =>
  negated ? sql`(${column} = any (${ids})) is not true` : sql`${column} = any (${ids})`
