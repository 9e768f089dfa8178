import sql, { type Sql } from 'sql-template-tag'
import type { ReportSearch } from '#contract/report/report-params.ts'
import type { Db } from '#server/platform/engine/db.ts'
import {
  buildReportFilterConditions,
  failedFilterConditionsMaskSql,
  joinFilterConditions,
  type ReportFilterCondition,
  reportSearchCondition,
} from '#server/report/report-filter-sql.ts'
import type { FilterToRelax } from '#server/report/report-queries.ts'
import type { ReportScope } from '#server/report/report-scope.ts'
import { resolveReportSearchScope } from '#server/report/with-resolved-searches.ts'

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
