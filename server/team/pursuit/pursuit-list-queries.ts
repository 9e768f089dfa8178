import sql, { empty } from 'sql-template-tag'
import { shortenProjectName } from '#contract/account/shorten-project-name.ts'
import { splitSearchByReportTab } from '#contract/report/archived-scope.ts'
import { getBoardFilters } from '#contract/report/board-filters.ts'
import type { ListFilterValue } from '#contract/report/report-param-kinds.ts'
import { MAX_BOARD_CARDS, type PursuitCard } from '#contract/team/pursuit.ts'
import { getProvinceName } from '#contract/thai/province.ts'
import { addDays, getBangkokToday } from '#contract/thai/thai-date.ts'
import type { Db } from '#server/platform/engine/db.ts'
import type { Actor } from '#server/platform/route/actor.ts'
import { isBudgetInDoubtSql } from '#server/platform/text/doubt-sql.ts'
import { satangToBaht } from '#server/platform/text/satang-to-baht.ts'
import { teamLabelCondition } from '#server/report/match-sql.ts'
import { createReportEngine } from '#server/report/report-engine.ts'
import { parseReportQueryInput } from '#server/report/report-input.ts'
import { findProjectsPassingSearches } from '#server/report/report-lists.ts'
import { findPreviousReportVisit } from '#server/report/visit-queries.ts'

/**
 * Filters of the pursuit list; undefined fields do not filter. `owners`: user ids, null for unassigned pursuits.
 * `dueWithin`: days from today.
 */
export type PursuitFilter = {
  readonly stages?: readonly string[] | undefined
  readonly owners?: readonly (number | null)[] | undefined
  readonly dueWithin?: number | undefined
  readonly projects?: readonly string[] | undefined
  readonly labels?: ListFilterValue | undefined
}

type StoredCard = Pick<
  PursuitCard,
  | 'project_id'
  | 'name'
  | 'agency'
  | 'stage'
  | 'decision'
  | 'reason'
  | 'lost_reason'
  | 'note_count'
  | 'items_done'
  | 'items'
  | 'changed_at'
> & {
  readonly owner_id: number | null
  readonly province: number | null
  readonly budget_satang: number | null
  readonly is_budget_in_doubt: boolean
  readonly submission_ends_on: string | null
  readonly submission_time: string | null
  readonly is_cancelled: boolean
  readonly total: number
}

const IS_CANCELLED = sql`p.status in ('invitation_cancelled', 'project_cancelled')`

type ListCaller = { readonly organisationId: number; readonly today: string }

export async function listPursuitCards(
  db: Db,
  { stages, owners, dueWithin, projects, labels }: PursuitFilter,
  { organisationId, today }: ListCaller,
): Promise<{ readonly results: PursuitCard[]; readonly total: number }> {
  const ids = owners?.filter((owner) => owner !== null)
  const rows = await db.query<StoredCard>(sql`
    select c.project_id, p.name, d.sub_name as agency, coalesce(p.project_province, d.province) as province, p.budget_satang,
      ${isBudgetInDoubtSql(sql`p`)} as is_budget_in_doubt,
      p.submission_ends_on, p.submission_time, ${IS_CANCELLED} as is_cancelled, c.stage, c.owner_id, c.decision, c.reason, c.lost_reason, c.changed_at,
      jsonb_array_length(c.checklist) as items,
      jsonb_array_length(jsonb_path_query_array(c.checklist, '$[*] ? (@.done_at != null)')) as items_done,
      coalesce(n.notes, 0) as note_count, count(*) over ()::int as total
    from pursuits c
    join projects p on p.project_id = c.project_id
    join departments d on d.id = p.department_id
    left join (
      select project_id, count(*)::int as notes from pursuit_notes where organisation_id = ${organisationId}::int and deleted_at is null group by project_id
    ) n on n.project_id = c.project_id
    where c.organisation_id = ${organisationId}::int
      ${stages ? sql`and c.stage = any (${[...stages]}::text[])` : empty}
      ${ids ? sql`and (c.owner_id = any (${ids}::int[]) or c.owner_id is null and ${owners!.includes(null)}::boolean)` : empty}
      ${dueWithin === undefined ? empty : sql`and p.submission_ends_on between ${today}::date and ${addDays(today, dueWithin)}::date and not ${IS_CANCELLED}`}
      ${labels ? sql`and c.project_id in (select m.project_id from pursuits m where m.organisation_id = ${organisationId}::int and ${teamLabelCondition(labels, organisationId)})` : empty}
      ${projects ? sql`and c.project_id = any (${[...projects]}::text[])` : empty}
    order by c.changed_at desc, c.project_id limit ${MAX_BOARD_CARDS}::int`)
  return { results: rows.map(presentCard), total: rows[0]?.total ?? 0 }
}

/** Omits null fields: most of 2,000 cards have few values, and the field names made up a tenth of the response. */
function presentCard(row: StoredCard): PursuitCard {
  const { submission_time: time, decision, reason, lost_reason } = row
  return {
    project_id: row.project_id,
    name: shortenProjectName(row.name),
    agency: row.agency,
    province: getProvinceName(row.province),
    budget: satangToBaht(row.budget_satang),
    ...(row.is_budget_in_doubt && { is_budget_in_doubt: true }),
    deadline: row.submission_ends_on,
    ...(time && { deadline_time: time }),
    ...(row.is_cancelled && { is_cancelled: true }),
    stage: row.stage,
    owner: row.owner_id,
    ...(decision && { decision }),
    ...(reason && { reason }),
    ...(lost_reason && { lost_reason }),
    note_count: row.note_count,
    items_done: row.items_done,
    items: row.items,
    changed_at: new Date(row.changed_at).toISOString(),
  }
}

/**
 * Translates report filters to filters of pursuits: a list of projects, found in the active or archived scope, and team
 * labels, which apply to pursuits directly because some of their projects have left the report. Returns an empty object
 * if `query` has no such filter. Like the report, throws `bad_input` (400) for unreadable parameters.
 */
export async function resolvePursuitFilter(
  db: Db,
  { organisationId, userId }: Actor,
  query: Readonly<Record<string, unknown>>,
  now: Date,
): Promise<Pick<PursuitFilter, 'projects' | 'labels'>> {
  const { team_label__in: labels, ...filters } = parseReportQueryInput(query).search
  const search = getBoardFilters(filters)
  if (!search) return { labels }
  const rows = await db.query<{ project_id: string }>(
    sql`select project_id from pursuits where organisation_id = ${organisationId}::int order by project_id`,
  )
  const visit = await findPreviousReportVisit(db, userId, now)
  const scope = { organisationId, userId, today: getBangkokToday(now), visit }
  const ids = rows.map(({ project_id }) => project_id)
  return {
    labels,
    projects: (
      await findProjectsPassingSearches(createReportEngine(db), splitSearchByReportTab(search), scope, ids)
    ).flat(),
  }
}
