import sql, { empty, join, raw, type Sql } from 'sql-template-tag'
import { type FilterRecall, isJudged, MOST_MISSED, RECALL_MONTHS } from '#contract/report/filter-recall.ts'
import { activeReportFilters, type ReportSearch } from '#contract/report/report-params.ts'
import { addMonths } from '#contract/thai/thai-date.ts'
import { whyOf } from '#server/matching/why.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { type FilterCondition, failureMask, filterConditions } from './filter-sql.ts'
import type { ReportScope } from './queries.ts'
import { searchOfStored } from './saved-filter-counts.ts'
import { findSavedFilters } from './saved-filter-queries.ts'
import { withFound } from './with-found.ts'

/** Limit of projects to check, most recently marked first. */
const MOST_WANTED = 2_000
/** Each explanation evaluates all rules. */
const MOST_EXPLAINED = 20

type Judged = { readonly id: string; readonly left_out: string[]; readonly conditions: readonly FilterCondition[] }

/**
 * Counts how many projects that the user bookmarked or the team pursued in the last twelve months the watch lists admit
 * to the report, and how many of those each saved filter finds in either tab. Uses the report's conditions.
 */
export async function loadFilterRecall(db: Db, asked: ReportScope): Promise<FilterRecall> {
  const since = addMonths(asked.today, -RECALL_MONTHS)
  const saved = (await findSavedFilters(db, asked.userId)).flatMap(({ id, filter_data }) => {
    const search = searchOfStored(filter_data)
    return search ? [{ id, ...judgedPart(search) }] : []
  })
  const judging = saved.filter(({ search }) => activeReportFilters(search).length > 0)
  const scope = await withFound(
    db,
    judging.map(({ search }) => search),
    asked,
  )
  const filters = judging.map(({ search, ...one }): Judged => ({ ...one, conditions: filterConditions(search, scope) }))
  const rows = await loadWanted(db, filters, asked, since)
  const held = rows.filter(({ in_report }) => in_report)
  return {
    since,
    watch: {
      seen: held.length,
      n: rows.length,
      left_out: [],
      missed: await explain(
        db,
        asked,
        rows.filter(({ in_report }) => !in_report),
      ),
    },
    filters: Object.fromEntries(
      filters.map(({ id, left_out, conditions }, i) => {
        const missed = held.filter(({ masks }) => masks[i]! > 0)
        const named = missed.slice(0, MOST_MISSED).map(({ project_id, name, masks }) => ({
          ...{ project_id, name },
          by: [...new Set(conditions.flatMap((condition, bit) => (isSet(masks[i]!, bit) ? [condition.name] : [])))],
        }))
        return [id, { seen: held.length - missed.length, n: held.length, left_out, missed: named }]
      }),
    ),
  }
}

/** Splits a search into the filters that are judged, in either tab, and those left out. */
function judgedPart(search: ReportSearch): { readonly search: ReportSearch; readonly left_out: string[] } {
  const names = activeReportFilters(search)
  const judged = names.filter((name) => isJudged(name, search))
  return {
    search: {
      ...(Object.fromEntries(judged.map((name) => [name, search[name]])) as ReportSearch),
      ...(search.ai_deep_from && { ai_deep_from: search.ai_deep_from }),
    },
    left_out: names.filter((name) => !judged.includes(name)),
  }
}

/** Bitwise operators work on 32-bit ints and fail above 31 conditions. */
const isSet = (mask: number, bit: number) => Math.floor(mask / 2 ** bit) % 2 === 1

type Wanted = {
  readonly project_id: string
  readonly name: string
  readonly in_report: boolean
  readonly masks: readonly number[]
}

/** Bookmarked or pursued projects, most recently marked first. Skips projects that left the data. */
async function loadWanted(
  db: Db,
  filters: readonly Judged[],
  { organisationId, userId }: ReportScope,
  since: string,
): Promise<Wanted[]> {
  const columns = filters.map((_, i) => raw(`mask_${i}`))
  const masks = filters.map(({ conditions }, i): Sql => sql`, ${failureMask(conditions)} as ${columns[i]!}`)
  return db.query<Wanted>(sql`
    with wanted as materialized (
      select w.project_id, max(w.at) as at from (
        select b.project_id, b.created_at as at from bookmarks b where b.user_id = ${userId}::int and b.created_at >= ${since}::date
        union all
        select c.project_id, c.created_at from pursuits c
        where c.organisation_id = ${organisationId}::int and c.created_at >= ${since}::date and c.decision is distinct from 'no_bid'
      ) w
      group by w.project_id order by at desc, w.project_id limit ${MOST_WANTED}::int
    ), judged as materialized (
      select m.project_id ${masks.length > 0 ? join(masks, ' ') : empty}
      from wanted w join report_matches m on m.organisation_id = ${organisationId}::int and m.project_id = w.project_id
    )
    select w.project_id, p.name, j.project_id is not null as in_report,
      ${columns.length > 0 ? sql`json_build_array(${join(columns.map((column) => sql`coalesce(j.${column}, 0)`))})` : sql`'[]'::json`} as masks
    from wanted w join projects p on p.project_id = w.project_id left join judged j on j.project_id = w.project_id
    order by w.at desc, w.project_id`)
}

async function explain(db: Db, actor: ReportScope, missed: readonly Wanted[]) {
  const told: { project_id: string; name: string; by: string[]; why?: string }[] = []
  for (const [i, { project_id, name }] of missed.slice(0, MOST_MISSED).entries()) {
    const rules = i < MOST_EXPLAINED ? (await whyOf(db, project_id, actor)).rules : []
    const broken = rules.find(({ rule, passed }) => !passed && rule !== 'hidden_by_you' && rule !== 'archived')
    told.push({ project_id, name, by: [], ...(broken && { why: broken.text }) })
  }
  return told
}
