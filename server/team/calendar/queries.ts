import sql, { join, type Sql } from 'sql-template-tag'
import { CANCELLED_PROJECT_STATUSES } from '#contract/catalogue/project.ts'
import { collectDeadlineDocumentFacts } from '#contract/report/deadline-document-facts.ts'
import type { DeadlineDocumentFacts } from '#contract/report/deadlines.ts'
import { omitProgressFilters, type ReportSearch } from '#contract/report/report-params.ts'
import { MAX_CALENDAR_PROJECTS } from '#contract/team/calendar.ts'
import type { CalendarSourceCode } from '#contract/team/calendar-params.ts'
import { addDays } from '#contract/thai/thai-date.ts'
import { listVisibleDocumentFacts } from '#server/documents/list-visible-document-facts.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { reportMatchesFromClauseSql } from '#server/report/deep/semantic-search-hits.ts'
import {
  buildReportFilterConditions,
  joinFilterConditions,
  removeSemanticSearchCondition,
  reportSearchCondition,
} from '#server/report/filter/report-filters.ts'
import { hiddenProjectIdsSql, projectMatchValueIdsSql } from '#server/report/match-sql.ts'
import type { ReportScope } from '#server/report/report-queries.ts'
import { resolveReportSearchScope } from '#server/report/resolve-report-search-scope.ts'

/**
 * A project with all facts from which its calendar dates are derived. Money in satang, dates ISO, provinces as DOPA
 * codes.
 */
export type StoredCalendarProject = {
  readonly project_id: string
  readonly name: string
  readonly dept_name: string
  readonly dept_sub_name: string
  readonly province: number | null
  readonly budget_satang: number | null
  readonly estimate_satang: number | null
  readonly method: string
  readonly remark: string | null
  readonly status: string
  readonly movement: string
  readonly draft_discussion_ends_on: string | null
  readonly submission_ends_on: string | null
  readonly submission_time: string | null
  readonly winner_announced_on: string | null
  readonly is_archived: boolean
  readonly is_starred: boolean
  readonly decision: 'bid' | 'no_bid' | null
  readonly draft_commented_on: string | null
  readonly owner: string | null
  readonly contract_signed_on: string | null
  readonly document_facts?: DeadlineDocumentFacts
  readonly written_load: number
  readonly written_at: string | null
  /** Contracts that end in range; all of them if the organisation bids. */
  readonly contracts: readonly {
    readonly contract_no: string
    readonly ends_on: string
    readonly status: string | null
  }[]
}

export type CalendarDayRange = { readonly from: string; readonly to: string }

/**
 * Maximum distance in days between a bid day and the dates of bidders' preparations derived from it in working days,
 * across the longest holiday period. `deriveCalendarEvents` drops dates outside the range.
 */
const ESTIMATE_DAYS = 30

/**
 * The same for projects that the organisation bids on: bank letters are dated months before the bid day, and a board
 * may decide an appeal months after the result. Warranties from documents may end years after the contract.
 */
const BID_DATE_DAYS = 200

/**
 * Selects the projects of a calendar: results of a search, or, from both the active and archived scope, the user's
 * bookmarked projects, the organisation's pursuits, or both. Excludes pursuits decided as no-bid.
 */
export type CalendarProjectSource =
  | { readonly kind: CalendarSourceCode }
  | { readonly kind: 'search'; readonly search: ReportSearch }

function followedIds(kind: CalendarSourceCode, { organisationId, userId }: ReportScope): Sql {
  const starred = sql`select b.project_id from bookmarks b where b.user_id = ${userId}::int`
  const pursued = sql`select c.project_id from pursuits c
    where c.organisation_id = ${organisationId}::int and c.decision is distinct from 'no_bid'`
  if (kind === 'starred') return starred
  return kind === 'pursued' ? pursued : sql`${starred} union ${pursued}`
}

type MatchSelection = { readonly matches: Sql; readonly condition: Sql }

function selectionOfSearch(search: ReportSearch, scope: ReportScope): MatchSelection {
  const filters = joinFilterConditions(removeSemanticSearchCondition(buildReportFilterConditions(search, scope)))
  return {
    matches: reportMatchesFromClauseSql(search, scope),
    condition: sql`${reportSearchCondition(scope, search)} and ${filters}`,
  }
}

/**
 * Returns the search restricted to cancelled projects, in either scope and at any progress: calendars must show that an
 * event was called off, and cancellation moves a project to the other scope.
 */
export function restrictSearchToCancelledProjects(search: ReportSearch): ReportSearch {
  return { ...omitProgressFilters(search), is_archived: true }
}

function selectionsOf(source: CalendarProjectSource, scope: ReportScope): readonly MatchSelection[] {
  if (source.kind === 'search') {
    const { matches, condition } = selectionOfSearch(restrictSearchToCancelledProjects(source.search), scope)
    const isCancelled = sql`m.status = any (${projectMatchValueIdsSql('status', CANCELLED_PROJECT_STATUSES)})`
    return [selectionOfSearch(source.search, scope), { matches, condition: sql`${condition} and ${isCancelled}` }]
  }
  // With an array the planner looks up by key; with a subquery it would read all matches (up to 716,938).
  const ids = sql`array(${followedIds(source.kind, scope)})`
  return [
    {
      matches: sql`report_matches m`,
      condition: sql`m.organisation_id = ${scope.organisationId}::int and m.project_id = any (${ids})
        and m.project_id not in (${hiddenProjectIdsSql(scope.userId)})`,
    },
  ]
}

/**
 * Finds projects with a date that may be in range. Returns one more than `MAX_CALENDAR_PROJECTS` to signal truncation.
 */
export async function findCalendarProjects(
  db: Db,
  source: CalendarProjectSource,
  requestedScope: ReportScope,
  { from, to }: CalendarDayRange,
): Promise<StoredCalendarProject[]> {
  const scope =
    source.kind === 'search'
      ? await resolveReportSearchScope(
          db,
          [source.search, restrictSearchToCancelledProjects(source.search)],
          requestedScope,
        )
      : requestedScope
  const upTo = addDays(to, ESTIMATE_DAYS)
  // Filter by date before joining matches: looking up dates per match took 2.5 s for 716,938 matches.
  const picks = selectionsOf(source, scope).map(
    ({ matches, condition }) =>
      sql`select m.project_id from ${matches} where ${condition} and m.project_id = any (array(select d.project_id from dated d))`,
  )
  const projects = await db.query<StoredCalendarProject>(sql`
    with dated as materialized (
      select x.project_id from project_filters x
      where x.draft_discussion_ends_on between ${from}::date and ${to}::date
        or x.submission_ends_on between ${from}::date and ${upTo}::date
        or x.winner_announced_on between ${from}::date and ${to}::date
      union
      select c.project_id from contracts c where c.ends_on between ${from}::date and ${to}::date
      union
      select c.project_id from pursuits c join project_filters x on x.project_id = c.project_id
      where c.organisation_id = ${scope.organisationId}::int and c.decision = 'bid' and (
        x.submission_ends_on between ${from}::date and ${addDays(to, BID_DATE_DAYS)}::date
        or greatest(x.submission_ends_on, x.winner_announced_on) between ${addDays(from, -BID_DATE_DAYS)}::date and ${to}::date
        or exists (
          select from contracts k join documents o on o.project_id = k.project_id and o.organisation_id = c.organisation_id
          where k.project_id = c.project_id and k.ends_on <= ${to}::date))
    ), picked as materialized (
      ${join(picks, ' union ')}
      order by project_id limit ${MAX_CALENDAR_PROJECTS + 1}::int
    )
    select p.project_id, p.name, d.name as dept_name, d.sub_name as dept_sub_name, coalesce(p.project_province, d.province) as province,
      p.budget_satang, p.estimate_satang, p.method, p.remark, p.status, p.movement, p.draft_discussion_ends_on, p.submission_ends_on,
      p.submission_time, p.winner_announced_on, p.is_archived, p.written_load, l.published_at as written_at,
      exists (select from bookmarks b where b.user_id = ${scope.userId}::int and b.project_id = p.project_id) as is_starred,
      c.decision, (
        select max(o.commented_on) from draft_comments o
        where o.organisation_id = ${scope.organisationId}::int and o.project_id = p.project_id and o.withdrawn_at is null
      ) as draft_commented_on,
      case when c.owner_id is not null then coalesce(nullif(concat_ws(' ', u.first_name, u.last_name), ''), u.email) end as owner,
      coalesce((
        select json_agg(json_build_object('contract_no', k.contract_no, 'ends_on', k.ends_on, 'status', k.status) order by k.contract_no)
        from contracts k
        where k.project_id = p.project_id and k.ends_on is not null and (c.decision = 'bid' or k.ends_on between ${from}::date and ${to}::date)
      ), '[]') as contracts,
      coalesce(p.contract_signed_on, (select min(k.signed_on) from contracts k where k.project_id = p.project_id)) as contract_signed_on
    from picked
    join projects p on p.project_id = picked.project_id
    join departments d on d.id = p.department_id
    left join loads l on l.id = p.written_load
    left join pursuits c on c.organisation_id = ${scope.organisationId}::int and c.project_id = p.project_id
    left join users u on u.id = c.owner_id
    order by p.project_id`)
  const documents = await listVisibleDocumentFacts(
    db,
    scope.organisationId,
    projects.map(({ project_id }) => project_id),
  )
  const byProject = Map.groupBy(documents, ({ project_id }) => project_id)
  return projects.map((project) => {
    const stated = byProject.get(project.project_id)
    return stated ? { ...project, document_facts: collectDeadlineDocumentFacts(stated) } : project
  })
}

export type StoredCalendarFilter = { readonly name: string; readonly filter_data: unknown }

export async function findCalendarSavedFilter(
  db: Db,
  userId: number,
  id: string,
): Promise<StoredCalendarFilter | undefined> {
  const [filter] = await db.query<StoredCalendarFilter>(sql`
    select f.name, f.filter_data from saved_filters f where f.user_id = ${userId}::int and f.id = ${id}`)
  return filter
}

export async function findCalendarTeamView(
  db: Db,
  organisationId: number,
  { owner, id }: { readonly owner: number; readonly id: string },
): Promise<StoredCalendarFilter | undefined> {
  const [view] = await db.query<StoredCalendarFilter>(sql`
    select f.name, f.filter_data from saved_filters f
    where f.user_id = ${owner}::int and f.id = ${id} and f.shared_with = ${organisationId}::int`)
  return view
}
