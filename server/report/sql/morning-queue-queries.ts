import sql, { join, type Sql } from 'sql-template-tag'
import { CLOSING_SOON_DAYS, NEAR_DEADLINE_KINDS, type NearDeadlineKind } from '#contract/catalogue/bid-state.ts'
import {
  MAX_MORNING_QUEUE_SECTION_SIZE,
  MORNING_QUEUE_KINDS,
  type MorningFigures,
} from '#contract/report/morning-queue.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { addDays } from '#contract/thai/thai-date.ts'
import { addWorkingDays } from '#contract/thai/working-day.ts'
import { inLatestDataLoadsCondition, LATEST_DATA_LOAD_ID_SQL } from '#server/matching/latest-loads.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { reportMatchesFromClauseSql } from '#server/report/deep/semantic-search-hits.ts'
import {
  buildReportFilterConditions,
  joinFilterConditions,
  organisationMatchCondition,
  removeSemanticSearchCondition,
  unhiddenMatchCondition,
} from '#server/report/filter/report-filters.ts'
import {
  announcedInDataLoadsCondition,
  changedInDataLoadsCondition,
  createDataLoadConditionFn,
  nearDeadlineKindSql,
} from '#server/report/match-sql.ts'
import type { ReportScope, StoredMorningQueue } from '#server/report/report-queries.ts'
import { reportOrderSql } from '#server/report/report-rows-sql.ts'
import { resolveReportSearchScope } from '#server/report/resolve-report-search-scope.ts'

/**
 * Loads the morning queue of a search and which of its projects the user has already decided. New and Updated refer to
 * the latest load, or with `project_since_visit` to all loads since the previous visit. Hidden projects are excluded,
 * except those hidden while working through this queue, because the progress counts them.
 */
export async function loadMorningQueue(
  db: Db,
  search: ReportSearch,
  requestScope: ReportScope,
): Promise<StoredMorningQueue> {
  const scope = await resolveReportSearchScope(db, [search], requestScope)
  const order = reportOrderSql(search, scope)
  const [queue] = await db.query<StoredMorningQueue>(sql`
    with decisions as materialized (${decisionsSql(scope)}),
    found as materialized (${foundProjectsSql(search, scope)}),
    judged as materialized (
      select f.*, d.load_id, coalesce(case f.kind
          when 1 then d.load_id >= f.first_load
          when 2 then d.load_id >= f.changed_load
          else ${decidedWhileNear(scope.today)} end, false) as is_decided
      from found f left join decisions d on d.project_id = f.project_id
    ),
    -- Decided while its deadline was near, in an earlier load: no part of this morning.
    hits as materialized (
      select * from judged j where not (j.kind > 2 and j.is_decided and ${inLatestDataLoadsCondition(sql`j.load_id`)} is not true)
    )
    select ${LATEST_DATA_LOAD_ID_SQL} as load_id, (select l.published_at from loads l where l.id = ${LATEST_DATA_LOAD_ID_SQL}) as data_time,
      json_build_array(${ofEachKind((kind) => sql`(select count(*) from hits m where m.kind = ${kind}::int)`)}) as totals,
      json_build_array(${ofEachKind((kind) => picked(kind, true, order))}) as decided,
      json_build_array(${ofEachKind((kind) => picked(kind, false, order))}) as undecided,
      json_build_array(${join(NEAR_DEADLINE_KINDS.map((kind) => sql`(select count(*) from found f where ${isNear(kind)})`))}) as near`)
  return queue!
}

/**
 * Counts the projects that at least one of the searches finds by the rules of `loadMorningQueue`: for one search its New
 * and Updated and its near deadlines.
 */
export async function loadMorningFigures(
  db: Db,
  searches: readonly ReportSearch[],
  requestScope: ReportScope,
): Promise<MorningFigures> {
  const scope = await resolveReportSearchScope(db, searches, requestScope)
  const columns = sql`f.project_id, f.kind, f.due_kind, f.is_visible`
  const [figures] = await db.query<MorningFigures>(sql`
    with decisions as materialized (${decisionsSql(scope)}),
    found as materialized (
      select p.project_id, min(p.kind) as kind, max(p.due_kind) as due_kind, bool_or(p.is_visible) as is_visible
      from (${join(
        searches.map((search) => sql`select ${columns} from (${foundProjectsSql(search, scope)}) f`),
        ' union all ',
      )}) p
      group by p.project_id
    )
    select count(*) filter (where f.kind = 1) as new, count(*) filter (where f.kind = 2) as updated,
      count(*) filter (where ${isNear('closing')}) as closing, count(*) filter (where ${isNear('comment')}) as comment
    from found f`)
  return figures!
}

const decisionsSql = ({ userId }: ReportScope) => sql`
  select q.project_id, max(q.load_id) as load_id, max(q.decided_on) as decided_on
  from queue_decisions q where q.user_id = ${userId}::int group by q.project_id`

/** Rows of the queue before decisions apply. Reads the CTE `decisions`. `kind`: place in `MORNING_QUEUE_KINDS`, from 1. */
function foundProjectsSql(search: ReportSearch, scope: ReportScope): Sql {
  const { visit } = scope
  const filters = joinFilterConditions(removeSemanticSearchCondition(buildReportFilterConditions(search, scope)))
  const inLoads =
    search.project_since_visit && visit ? createDataLoadConditionFn(visit.loads) : inLatestDataLoadsCondition
  const isNew = announcedInDataLoadsCondition(inLoads)
  const isUpdated = changedInDataLoadsCondition(inLoads)
  const due = nearDeadlineKindSql(scope)
  const isVisible = unhiddenMatchCondition(scope, search)
  return sql`
    select m.project_id, m.movement_on, m.budget_satang, m.estimate_satang, m.winner_satang, m.draft_published_on,
      m.draft_discussion_ends_on, m.bidding_invited_on, m.submission_ends_on, m.first_load, m.changed_load,
      ${search.ai_deep_search__in ? sql`m.deep_score` : sql`null::real as deep_score`},
      case when ${isNew} then 1 when ${isUpdated} then 2 when ${due} = 'closing' then 3 else 4 end as kind, ${due} as due_kind,
      case ${due} when 'closing' then m.submission_ends_on when 'comment' then m.draft_discussion_ends_on end as due,
      (${isVisible}) as is_visible
    from ${reportMatchesFromClauseSql(search, scope)}
    where ${organisationMatchCondition(scope, search)} and (${isNew} or ${isUpdated} or (${due}) is not null) and ${filters} and (
      (${isVisible})
      or m.project_id in (select d.project_id from decisions d where ${inLatestDataLoadsCondition(sql`d.load_id`)})
    )`
}

const isNear = (kind: NearDeadlineKind) => sql`f.is_visible and f.due_kind = ${kind}::text`

const ofEachKind = (columnOfKind: (kind: number) => Sql) => join(MORNING_QUEUE_KINDS.map((_, i) => columnOfKind(i + 1)))

const picked = (kind: number, isDecided: boolean, order: Sql) =>
  sql`array(
    select m.project_id from hits m where m.kind = ${kind}::int and m.is_decided = ${isDecided}::boolean
    order by ${kind > 2 ? sql`m.due, ${order}` : order} limit ${MAX_MORNING_QUEUE_SECTION_SIZE}::int)`

/**
 * SQL condition: the user's decision about a project still counts. It must have been made after the project came within
 * `CLOSING_SOON_DAYS` of its deadline. From the last working day before the deadline on, only decisions made since that
 * day count, so the project is shown once more, because bids cannot be submitted on a holiday.
 */
function decidedWhileNear(today: string): Sql {
  const reminders = Array.from({ length: CLOSING_SOON_DAYS + 1 }, (_, days) => addWorkingDays(addDays(today, days), -1))
  const reminder = sql`(${reminders}::date[])[f.due - ${today}::date + 1]`
  return sql`d.decided_on >= f.due - ${CLOSING_SOON_DAYS}::int and (${today}::date < ${reminder} or d.decided_on >= ${reminder})`
}
