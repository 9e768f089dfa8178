import sql, { join, raw, type Sql } from 'sql-template-tag'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { LATEST_DATA_LOAD_COLUMNS_SQL } from '#server/matching/latest-loads.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { splitIntoSlices } from '#server/platform/engine/process-in-batches.ts'
import { PROJECT_CHANGE_STATUS_NUMBER_SQL } from '#server/report/change-status-sql.ts'
import { reportMatchesFromClauseSql } from '#server/report/deep/semantic-search-hits.ts'
import {
  buildReportFilterConditions,
  failedFilterConditionsMaskSql,
  joinFilterConditions,
  type ReportFilterCondition,
  removeSemanticSearchCondition,
  reportSearchCondition,
} from '#server/report/report-filter-sql.ts'
import type { FilterToRelax, ReportIdOptions, ReportIds, ReportSearchCount } from '#server/report/report-queries.ts'
import { reportOrderSql } from '#server/report/report-rows-sql.ts'
import type { ReportScope } from '#server/report/report-scope.ts'
import { resolveReportSearchScope } from '#server/report/with-resolved-searches.ts'

const IDS_PER_STATEMENT = 5_000

/** One column per search, `passes_0` and so on: whether match `m` is among its results. */
const passingColumns = (searches: readonly ReportSearch[], scope: ReportScope) =>
  join(
    searches.map(
      (search, i) =>
        sql`(${reportSearchCondition(scope, search)} and ${joinFilterConditions(buildReportFilterConditions(search, scope))}) as ${passes(i)}`,
    ),
  )
const passes = (i: number) => raw(`passes_${i}`)

export async function countReportSearchResults(
  db: Db,
  searches: readonly ReportSearch[],
  requestScope: ReportScope,
): Promise<ReportSearchCount[]> {
  const scope = await resolveReportSearchScope(db, searches, requestScope)
  // Text searches run separately, so that they do not force the other searches off the covering index.
  const readsText = (search: ReportSearch) =>
    buildReportFilterConditions(search, scope).some((condition) => condition.readsText)
  const groups = [searches.filter(readsText), searches.filter((search) => !readsText(search))]
  const countsByGroup = await Promise.all(groups.map((group) => countInOnePass(db, group, scope)))
  const countOf = new Map(
    groups.flatMap((group, i) => group.map((search, j) => [search, countsByGroup[i]![j]!] as const)),
  )
  return searches.map((search) => countOf.get(search)!)
}

async function countInOnePass(
  db: Db,
  searches: readonly ReportSearch[],
  scope: ReportScope,
): Promise<ReportSearchCount[]> {
  if (searches.length === 0) return []
  const counts = searches.map(
    (_, i) =>
      sql`json_build_object('total', count(*) filter (where t.${passes(i)}), 'new', count(*) filter (where t.${passes(i)} and t.change = 1))`,
  )
  const [row] = await db.query<{ counts: ReportSearchCount[] }>(sql`
    select json_build_array(${join(counts)}) as counts
    from (
      select ${PROJECT_CHANGE_STATUS_NUMBER_SQL} as change, ${passingColumns(searches, scope)}
      from report_matches m where m.organisation_id = ${scope.organisationId}::int
      offset 0 -- keeps each condition evaluated once a row
    ) t`)
  return row!.counts
}

/**
 * Returns one list per search: the ids of these projects, in their given order, that the search finds in the report of
 * `requestScope`. Uses the report's conditions, so emails about a filter agree with the report.
 */
export async function loadProjectsPassingSearches(
  db: Db,
  searches: readonly ReportSearch[],
  requestScope: ReportScope,
  projectIds: readonly string[],
): Promise<string[][]> {
  if (searches.length === 0 || projectIds.length === 0) return searches.map(() => [])
  const scope = await resolveReportSearchScope(db, searches, requestScope)
  const idColumns = searches.map(
    (_, i) =>
      sql`coalesce(array_agg(t.project_id order by t.place) filter (where t.${passes(i)}), '{}') as ${raw(`found_${i}`)}`,
  )
  const idsBySearch: string[][] = searches.map(() => [])
  for (const ids of splitIntoSlices(projectIds, IDS_PER_STATEMENT)) {
    const [row] = await db.query<Record<string, string[]>>(sql`
      select ${join(idColumns)}
      from (
        select m.project_id, w.place, ${passingColumns(searches, scope)}
        from unnest(${ids}::text[]) with ordinality w (id, place)
        join report_matches m on m.organisation_id = ${scope.organisationId}::int and m.project_id = w.id
        offset 0 -- keeps each condition evaluated once a row
      ) t`)
    for (const [i, passing] of idsBySearch.entries()) passing.push(...row![`found_${i}`]!)
  }
  return idsBySearch
}

export async function loadProjectIds(
  db: Db,
  searches: readonly ReportSearch[],
  requestScope: ReportScope,
  options: ReportIdOptions,
): Promise<ReportIds> {
  const scope = await resolveReportSearchScope(db, searches, requestScope)
  const results = await Promise.all(searches.map((search) => loadIdsOfSearch(db, search, scope, options)))
  const { load = null, dataTime = null } = results[0] ?? {}
  return { lists: results.map(({ ids, total }) => ({ ids, total })), load, dataTime }
}

async function loadIdsOfSearch(
  db: Db,
  search: ReportSearch,
  scope: ReportScope,
  { limit, ...timeout }: ReportIdOptions,
): Promise<ReportIds['lists'][number] & Pick<ReportIds, 'load' | 'dataTime'>> {
  const filters = joinFilterConditions(removeSemanticSearchCondition(buildReportFilterConditions(search, scope)))
  // Ids are sent as one string: parsing an array of 200,000 would block the event loop for 100 ms.
  const [list] = await db.query<Pick<ReportIds, 'load' | 'dataTime'> & { ids: string | null; total: number }>(
    sql`
    with hits as materialized (
      select m.project_id, row_number() over (order by ${reportOrderSql(search, scope)}) as place
      from ${reportMatchesFromClauseSql(search, scope)} where ${reportSearchCondition(scope, search)} and ${filters}
    )
    select (select count(*) from hits) as total, ${LATEST_DATA_LOAD_COLUMNS_SQL},
      (select string_agg(h.project_id, chr(10) order by h.place) from hits h where h.place <= ${limit}::int) as ids`,
    timeout,
  )
  return { ...list!, ids: list!.ids === null ? [] : list!.ids.split('\n') }
}

/**
 * For an empty result, returns the filter whose removal restores most rows: the one that most rows fail as their only
 * condition. Undefined if no single filter helps.
 */
export async function loadFilterToRelax(
  db: Db,
  search: ReportSearch,
  requestScope: ReportScope,
): Promise<FilterToRelax | undefined> {
  const scope = await resolveReportSearchScope(db, [search], requestScope)
  const conditions = buildReportFilterConditions(search, scope)
  if (conditions.length === 0) return undefined
  const tab = reportSearchCondition(scope, search)
  const texts = conditions.filter((condition) => condition.readsText)
  const [best] = await db.query<{ mask: number; total: number }>(sql`
    select f.mask, count(*) as total
    from (${texts.length === 1 ? rowsFailingOneOfText(conditions, tab) : rowsFailingOne(conditions, tab)}) f
    group by f.mask order by total desc, f.mask limit 1`)
  return best && { parameter: conditions[Math.log2(best.mask)]!.name, total: best.total }
}

function rowsFailingOne(conditions: readonly ReportFilterCondition[], tab: Sql): Sql {
  return sql`
    select g.mask from (select ${failedFilterConditionsMaskSql(conditions)} as mask from report_matches m where ${tab} offset 0) g
    where g.mask > 0 and g.mask & (g.mask - 1) = 0`
}

/**
 * Variant for the common case of one text filter plus narrow filters: selects the same rows in half the time. No row
 * passes everything, so all rows that pass the narrow filters fail only the text filter and can be counted by index.
 * The narrow filters are evaluated only for the few rows whose text matches.
 */
function rowsFailingOneOfText(conditions: readonly ReportFilterCondition[], tab: Sql): Sql {
  // The text condition is last and has the highest bit: `buildReportFilterConditions` puts cheap ones first.
  const narrow = conditions.slice(0, -1)
  const text = conditions.at(-1)!
  return sql`
    select ${2 ** narrow.length}::bigint as mask from report_matches m where ${tab} and ${joinFilterConditions(narrow)}
    union all
    select g.mask from (select ${failedFilterConditionsMaskSql(narrow)} as mask from report_matches m where ${tab} and ${text.sql} offset 0) g
    where g.mask > 0 and g.mask & (g.mask - 1) = 0`
}
