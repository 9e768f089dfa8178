import sql, { empty, join, raw, type Sql } from 'sql-template-tag'
import { storedFilterCriteriaSchema } from '#contract/account/filter-criteria.ts'
import {
  FILTER_HIT_RATE_MONTHS,
  type FilterHitRate,
  isFilterHitRateParam,
  MAX_MISSED_PROJECTS,
} from '#contract/report/filter-hit-rate.ts'
import { getActiveReportFilters, type ReportSearch } from '#contract/report/report-params.ts'
import { parseFilterCriteria } from '#contract/report/saved-filter-search.ts'
import { addMonths } from '#contract/thai/thai-date.ts'
import { explainMatch } from '#server/matching/explain-match.ts'
import type { Db } from '#server/platform/engine/db.ts'
import {
  buildReportFilterConditions,
  failedFilterConditionsMaskSql,
  type ReportFilterCondition,
} from '#server/report/filter/report-filters.ts'
import type { ReportEngine, ReportScope } from '#server/report/report-queries.ts'
import { resolveReportSearchScope } from '#server/report/resolve-report-search-scope.ts'

const MAX_MARKED_PROJECTS = 2_000
const MAX_EXPLAINED = 20

type JudgedFilter = {
  readonly id: string
  readonly left_out: string[]
  readonly conditions: readonly ReportFilterCondition[]
}

/**
 * Checks the projects that the user bookmarked or the team pursued in the last twelve months: counts how many of them
 * the watch lists admit to the report, and how many of those each saved filter finds in the active or archived scope.
 * Uses the report's conditions.
 */
export async function loadFilterHitRate(db: Db, requestScope: ReportScope): Promise<FilterHitRate> {
  const since = addMonths(requestScope.today, -FILTER_HIT_RATE_MONTHS)
  const saved = (await findSavedFilters(db, requestScope.userId)).flatMap(({ id, filter_data }) => {
    const search = parseStoredFilterSearch(filter_data)
    return search ? [{ id, ...splitJudgedFilters(search) }] : []
  })
  const judging = saved.filter(({ search }) => getActiveReportFilters(search).length > 0)
  const scope = await resolveReportSearchScope(
    db,
    judging.map(({ search }) => search),
    requestScope,
  )
  const filters = judging.map(
    ({ search, ...savedFilter }): JudgedFilter => ({
      ...savedFilter,
      conditions: buildReportFilterConditions(search, scope),
    }),
  )
  const rows = await loadMarkedProjects(db, filters, requestScope, since)
  const inReport = rows.filter(({ in_report }) => in_report)
  return {
    since,
    watch: {
      seen: inReport.length,
      n: rows.length,
      left_out: [],
      missed: await explainMissed(
        db,
        requestScope,
        rows.filter(({ in_report }) => !in_report),
      ),
    },
    filters: Object.fromEntries(
      filters.map(({ id, left_out, conditions }, i) => {
        const missed = inReport.filter(({ masks }) => masks[i]! > 0)
        const missedProjects = missed.slice(0, MAX_MISSED_PROJECTS).map(({ project_id, name, masks }) => ({
          ...{ project_id, name },
          by: [...new Set(conditions.flatMap((condition, bit) => (isSet(masks[i]!, bit) ? [condition.name] : [])))],
        }))
        return [id, { seen: inReport.length - missed.length, n: inReport.length, left_out, missed: missedProjects }]
      }),
    ),
  }
}

function splitJudgedFilters(search: ReportSearch): { readonly search: ReportSearch; readonly left_out: string[] } {
  const names = getActiveReportFilters(search)
  const judged = names.filter((name) => isFilterHitRateParam(name, search))
  return {
    search: {
      ...(Object.fromEntries(judged.map((name) => [name, search[name]])) as ReportSearch),
      ...(search.ai_deep_from && { ai_deep_from: search.ai_deep_from }),
    },
    left_out: names.filter((name) => !judged.includes(name)),
  }
}

/**
 * True if this bit of the mask is set. Uses division, because bitwise operators work on 32-bit integers and fail above
 * 31 conditions.
 */
const isSet = (mask: number, bit: number) => Math.floor(mask / 2 ** bit) % 2 === 1

type MarkedProject = {
  readonly project_id: string
  readonly name: string
  readonly in_report: boolean
  readonly masks: readonly number[]
}

async function loadMarkedProjects(
  db: Db,
  filters: readonly JudgedFilter[],
  { organisationId, userId }: ReportScope,
  since: string,
): Promise<MarkedProject[]> {
  const columns = filters.map((_, i) => raw(`mask_${i}`))
  const masks = filters.map(
    ({ conditions }, i): Sql => sql`, ${failedFilterConditionsMaskSql(conditions)} as ${columns[i]!}`,
  )
  return db.query<MarkedProject>(sql`
    with wanted as materialized (
      select w.project_id, max(w.at) as at from (
        select b.project_id, b.created_at as at from bookmarks b where b.user_id = ${userId}::int and b.created_at >= ${since}::date
        union all
        select c.project_id, c.created_at from pursuits c
        where c.organisation_id = ${organisationId}::int and c.created_at >= ${since}::date and c.decision is distinct from 'no_bid'
      ) w
      group by w.project_id order by at desc, w.project_id limit ${MAX_MARKED_PROJECTS}::int
    ), judged as materialized (
      select m.project_id ${masks.length > 0 ? join(masks, ' ') : empty}
      from wanted w join report_matches m on m.organisation_id = ${organisationId}::int and m.project_id = w.project_id
    )
    select w.project_id, p.name, j.project_id is not null as in_report,
      ${columns.length > 0 ? sql`json_build_array(${join(columns.map((column) => sql`coalesce(j.${column}, 0)`))})` : sql`'[]'::json`} as masks
    from wanted w join projects p on p.project_id = w.project_id left join judged j on j.project_id = w.project_id
    order by w.at desc, w.project_id`)
}

async function explainMissed(db: Db, actor: ReportScope, missed: readonly MarkedProject[]) {
  const explained: { project_id: string; name: string; by: string[]; why?: string }[] = []
  for (const [i, { project_id, name }] of missed.slice(0, MAX_MISSED_PROJECTS).entries()) {
    const rules = i < MAX_EXPLAINED ? (await explainMatch(db, project_id, actor)).rules : []
    const broken = rules.find(({ rule, passed }) => !passed && rule !== 'hidden_by_you' && rule !== 'archived')
    explained.push({ project_id, name, by: [], ...(broken && { why: broken.text }) })
  }
  return explained
}

/**
 * Returns the filters shared with the user, then the user's saved filters, as stored. They may be in the format of an
 * older version.
 */
async function findSavedFilters(db: Db, userId: number): Promise<{ id: string; filter_data: unknown }[]> {
  return db.query(sql`
    select f.id, f.filter_data from saved_filters f
    where f.user_id = ${userId}::int or f.shared_with = (select u.organisation_id from users u where u.id = ${userId}::int)
    order by f.user_id = ${userId}::int, f.created_at, f.id`)
}

/**
 * Returns undefined if any part of the stored filter is unreadable or from a newer release, because the remaining parts
 * alone would match too much.
 */
export function parseStoredFilterSearch(stored: unknown): ReportSearch | undefined {
  const data = storedFilterCriteriaSchema.safeParse(stored)
  if (!data.success) return undefined
  const { search, ignored } = parseFilterCriteria(data.data)
  return ignored.length > 0 ? undefined : search
}

export async function loadSavedFilterCounts(
  db: Db,
  reports: ReportEngine,
  scope: ReportScope,
): Promise<{ counts: Record<string, { total: number; new: number }> }> {
  const readable = (await findSavedFilters(db, scope.userId)).flatMap(({ id, filter_data }) => {
    const search = parseStoredFilterSearch(filter_data)
    return search ? [{ id, search }] : []
  })
  const searches = readable.map(({ search }) => search)
  const { lists } = await reports.ids(searches, scope, { limit: 0 })
  return {
    counts: Object.fromEntries(
      readable.map(({ id }, i) => [id, { total: lists[i]!.total, new: lists[i]!.new }] as const),
    ),
  }
}
