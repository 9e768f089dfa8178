import sql, { type Sql } from 'sql-template-tag'
import type { BudgetLevel } from '#contract/budget/budget.ts'
import type { BudgetSearch } from '#contract/budget/budget-params.ts'
import type { Db } from '#server/engine/db.ts'
import { foundItems, type ItemScope, levelColumn, ownStates, STATE } from './filter-sql.ts'
import { COUNTS } from './link-sql.ts'
import { type CubeRow, isOfTotals, loadTotalsCube } from './queries-totals.ts'

/**
 * One pass over all years that any figure needs, the state filter left out: all counts and sums of the summary are sums of its rows. `named`: the
 * years whose items are told apart by the level.
 */
export async function loadCube(
  db: Db,
  search: BudgetSearch,
  scope: ItemScope,
  { level, named }: { level: BudgetLevel; named: readonly number[] },
): Promise<CubeRow[]> {
  const column: Sql = levelColumn(level) ?? sql`t.description`
  if (isOfTotals(search)) return loadTotalsCube(db, search, scope, { column, named })
  return db.query<CubeRow>(sql`
    with ${ownStates(scope.organisationId)}
    select i.fiscal_year, case when i.fiscal_year = any (${[...named]}::smallint[]) then ${column} end as key, i.category, ${STATE} as state,
      count(*)::int as n, count(i.amount_satang)::int as known, sum(i.amount_satang)::bigint as satang
    ${foundItems(search, scope, { without: ['state'], texts: level === 'item' })}
    group by 1, 2, 3, 4`)
}

export async function loadNames(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const rows = await db.query<{ id: number; name: string }>(
    sql`select id, name from budget_names where id = any (${[...ids]}::int[])`,
  )
  return new Map(rows.map(({ id, name }) => [id, name]))
}

export type DiscountRow = { readonly n: number; readonly weighted: number | null; readonly median: number | null }

/** What the awarded projects of the items found went below their reference prices; each project once. */
export async function loadDiscount(db: Db, search: BudgetSearch, scope: ItemScope): Promise<DiscountRow> {
  const [row] = await db.query<DiscountRow>(sql`
    with ${ownStates(scope.organisationId)}, won as (
      select distinct l.project_id, l.estimate_satang, l.winner_satang
      from (select i.id ${foundItems(search, scope)}) f
      join budget_links l on l.item_id = f.id
      left join budget_link_decisions d on d.organisation_id = ${scope.organisationId}::int and d.item_id = l.item_id and d.project_id = l.project_id
      where ${COUNTS} and l.state = 4 and l.estimate_satang > 0 and l.winner_satang > 0
    )
    select count(*)::int as n, (sum(estimate_satang - winner_satang)::float8 / nullif(sum(estimate_satang), 0)::float8) as weighted,
      percentile_cont(0.5) within group (order by (estimate_satang - winner_satang)::float8 / estimate_satang::float8) as median
    from won`)
  return row!
}

/** Months in which the projects of the items found in these years were first announced; each project once. */
export async function loadMonths(
  db: Db,
  search: BudgetSearch,
  scope: ItemScope,
): Promise<{ month: number; n: number }[]> {
  if (scope.years.length === 0) return []
  return db.query<{ month: number; n: number }>(sql`
    with ${ownStates(scope.organisationId)}
    select extract(month from l.announced_on)::int as month, count(distinct l.project_id)::int as n
    from (select i.id ${foundItems(search, scope, { without: ['state'] })}) f
    join budget_links l on l.item_id = f.id
    left join budget_link_decisions d on d.organisation_id = ${scope.organisationId}::int and d.item_id = l.item_id and d.project_id = l.project_id
    where ${COUNTS} and l.announced_on is not null
    group by 1 order by 1`)
}

export type WordRow = {
  readonly word: string
  readonly fiscal_year: number
  readonly n: number
  readonly known: number
  readonly satang: number | null
}

/** What each word of the organisation's including lists finds of what the search finds, in each of the years. */
export async function loadWords(db: Db, search: BudgetSearch, scope: ItemScope): Promise<WordRow[]> {
  return db.query<WordRow>(sql`
    with ${ownStates(scope.organisationId)}, found as (
      select distinct k.word, f.id, f.fiscal_year, f.amount_satang
      from (select i.id, i.fiscal_year, i.amount_satang, m.keywords ${foundItems(search, scope, { without: ['keyword'], matches: true })}) f
      cross join unnest(f.keywords) found_by (id)
      join keywords k on k.organisation_id = ${scope.organisationId}::int and k.id = found_by.id
    )
    select word, fiscal_year, count(*)::int as n, count(amount_satang)::int as known, sum(amount_satang)::bigint as satang
    from found group by word, fiscal_year`)
}

/** Words of the including lists, in the order in which they were added; one that stands in two lists once. */
export async function includingWords(db: Db, organisationId: number): Promise<string[]> {
  const rows = await db.query<{ word: string }>(sql`
    select word from keywords
    where organisation_id = ${organisationId}::int and list in ('include', 'ai_include', 'deptsub_include') group by word order by min(id)`)
  return rows.map(({ word }) => word)
}
