import sql, { type Sql } from 'sql-template-tag'
import type { ReportSearch } from '#contract/report/report-params.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { allOf, type FilterCondition, failureMask, filterConditions, reportCondition } from './filter-sql.ts'
import type { ReportScope } from './queries.ts'
import { withFound } from './with-found.ts'

export type FilterToRelax = { readonly parameter: string; readonly total: number }

/**
 * For a search that finds nothing: the filter whose removal alone brings most rows back, or undefined when no single one does.
 * That is the condition which most rows fail as their only one.
 */
export async function loadFilterToRelax(
  db: Db,
  search: ReportSearch,
  asked: ReportScope,
): Promise<FilterToRelax | undefined> {
  const scope = await withFound(db, [search], asked)
  const conditions = filterConditions(search, scope)
  if (conditions.length === 0) return undefined
  const tab = reportCondition(scope, search)
  const texts = conditions.filter((condition) => condition.readsText)
  const [best] = await db.query<{ mask: number; total: number }>(sql`
    select f.mask, count(*) as total
    from (${texts.length === 1 ? failingOneWithOneText(conditions, tab) : failingOne(conditions, tab)}) f
    group by f.mask order by total desc, f.mask limit 1`)
  return best && { parameter: conditions[Math.log2(best.mask)]!.name, total: best.total }
}

/** Masks of the rows that fail exactly one condition. */
function failingOne(conditions: readonly FilterCondition[], tab: Sql): Sql {
  return sql`
    select g.mask from (select ${failureMask(conditions)} as mask from report_matches m where ${tab} offset 0) g
    where g.mask > 0 and g.mask & (g.mask - 1) = 0`
}

/**
 * The same for the usual case of one text beside narrow filters, in half the time. No row passes all, so whatever passes the narrow ones
 * fails just the text, and is counted in the index; the narrow ones are asked only of the few rows whose text passes.
 */
function failingOneWithOneText(conditions: readonly FilterCondition[], tab: Sql): Sql {
  // Cheap conditions stand first, so the text has the highest bit.
  const narrow = conditions.slice(0, -1)
  const text = conditions.at(-1)!
  return sql`
    select ${2 ** narrow.length}::bigint as mask from report_matches m where ${tab} and ${allOf(narrow)}
    union all
    select g.mask from (select ${failureMask(narrow)} as mask from report_matches m where ${tab} and ${text.sql} offset 0) g
    where g.mask > 0 and g.mask & (g.mask - 1) = 0`
}
