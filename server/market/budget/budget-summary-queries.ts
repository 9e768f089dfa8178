import sql, { join, type Sql } from 'sql-template-tag'
import type { BudgetLevel } from '#contract/market/budget.ts'
import type { BudgetSearch } from '#contract/market/budget-params.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { isPriceInDoubtSql } from '#server/platform/text/doubt-sql.ts'
import {
  BUDGET_ITEM_STATE_SQL,
  type BudgetItemScope,
  budgetLevelColumnSql,
  budgetPathConditions,
  decidedBudgetItemStatesSql,
  IS_EFFECTIVE_BUDGET_LINK_SQL,
  matchingBudgetItemsSql,
} from './budget-filter-sql.ts'

/**
 * Item counts by every dimension of the summary. `key`: the id of the level's name, or the description of an item; null
 * in years that need no breakdown.
 */
export type BudgetItemCountRow = {
  readonly fiscal_year: number
  readonly key: number | string | null
  readonly category: number
  readonly state: number
  readonly n: number
  readonly known: number
  readonly satang: number | null
}

export async function loadBudgetSubscription(
  db: Db,
  organisationId: number,
): Promise<{ allowed: string; start: string | null; end: string | null } | undefined> {
  const [row] = await db.query<{ allowed: string; start: string | null; end: string | null }>(sql`
    select allow_access_budget_year as allowed, customer_config ->> 'start_date_budgetyear' as start, customer_config ->> 'end_date_budgetyear' as end
    from organisations where id = ${organisationId}::int`)
  return row
}

type LoadedYear = {
  readonly fiscal_year: number
  readonly items: number
  readonly sources: string[]
  readonly loaded_at: string
}

export async function loadImportedBudgetYears(db: Db): Promise<LoadedYear[]> {
  return db.query<LoadedYear>(sql`
    select y.fiscal_year, y.items, y.sources, l.loaded_at from budget_years y join budget_loads l on l.id = y.load_id order by y.fiscal_year desc`)
}

export async function loadBudgetMatchTime(db: Db, organisationId: number, fiscalYear: number): Promise<string | null> {
  const [run] = await db.query<{ matched_at: string }>(sql`
    select matched_at from budget_match_runs where organisation_id = ${organisationId}::int and fiscal_year = ${fiscalYear}::smallint`)
  return run?.matched_at ?? null
}

const DIMENSIONS = sql`fiscal_year, ministry, unit, plan, project, category`

/** Recounts the year's totals. Call this in the transaction that replaced the year's items. */
export async function recountBudgetYear(tx: Db, fiscalYear: number): Promise<void> {
  await tx.execute(sql`delete from budget_totals where fiscal_year = ${fiscalYear}::smallint`, { timeoutMs: 0 })
  await tx.execute(
    sql`
      insert into budget_totals (${DIMENSIONS}, state, n, known, satang)
      select ${DIMENSIONS}, state, count(*), count(amount_satang), coalesce(sum(amount_satang), 0)
      from budget_items where fiscal_year = ${fiscalYear}::smallint group by ${DIMENSIONS}, state`,
    { timeoutMs: 0 },
  )
}

/**
 * Moves items in the totals from their old state (`before` in `changed`) to the new one (`after`). Must follow a `with`
 * clause.
 */
export const MOVE_BUDGET_STATE_TOTALS_SQL: Sql = sql`
  insert into budget_totals as t (${DIMENSIONS}, state, n, known, satang)
  select ${DIMENSIONS}, m.state, sum(m.sign), coalesce(sum(m.sign) filter (where amount_satang is not null), 0), coalesce(sum(m.sign * amount_satang), 0)
  from changed cross join lateral (values (before, -1), (after, 1)) m (state, sign)
  where before <> after
  group by ${DIMENSIONS}, m.state
  on conflict (${DIMENSIONS}, state) do update set n = t.n + excluded.n, known = t.known + excluded.known, satang = t.satang + excluded.satang`

function canUseTotals(search: BudgetSearch): boolean {
  const { scope, q, category, amount__range, keyword__in } = search
  const isDeep = budgetPathConditions(search).length === 4
  return scope === 'all' && !isDeep && [q, category, amount__range, keyword__in].every((filter) => filter === undefined)
}

async function loadTotalsCube(
  db: Db,
  search: BudgetSearch,
  { organisationId, years }: BudgetItemScope,
  { column, breakdownYears }: { column: Sql; breakdownYears: readonly number[] },
): Promise<BudgetItemCountRow[]> {
  const conditions = [sql`i.fiscal_year = any (${[...years]}::smallint[])`, ...budgetPathConditions(search)]
  return db.query<BudgetItemCountRow>(sql`
    with ${decidedBudgetItemStatesSql(organisationId)}, moved as (
      select i.*, own.state as own_state from own join budget_items i on i.id = own.item_id where own.state <> i.state
    ), i as (
      select ${DIMENSIONS}, state, n, known, satang from budget_totals
      union all
      select ${DIMENSIONS}, m.state, m.sign, case when amount_satang is null then 0 else m.sign end, m.sign * coalesce(amount_satang, 0)
      from moved cross join lateral (values (moved.state, -1), (moved.own_state, 1)) m (state, sign)
    )
    select i.fiscal_year, case when i.fiscal_year = any (${[...breakdownYears]}::smallint[]) then ${column} end as key, i.category, i.state,
      sum(i.n)::int as n, sum(i.known)::int as known, sum(i.satang)::bigint as satang
    from i where ${join(conditions, ' and ')} group by 1, 2, 3, 4 having sum(i.n) > 0`)
}

/**
 * Loads all counts of the summary in one pass over every year needed, without the state filter. `breakdownYears`: years
 * that are broken down by level.
 */
export async function loadBudgetItemCounts(
  db: Db,
  search: BudgetSearch,
  scope: BudgetItemScope,
  { level, breakdownYears }: { level: BudgetLevel; breakdownYears: readonly number[] },
): Promise<BudgetItemCountRow[]> {
  const column: Sql = budgetLevelColumnSql(level) ?? sql`t.description`
  if (canUseTotals(search)) return loadTotalsCube(db, search, scope, { column, breakdownYears })
  return db.query<BudgetItemCountRow>(sql`
    with ${decidedBudgetItemStatesSql(scope.organisationId)}
    select i.fiscal_year, case when i.fiscal_year = any (${[...breakdownYears]}::smallint[]) then ${column} end as key, i.category, ${BUDGET_ITEM_STATE_SQL} as state,
      count(*)::int as n, count(i.amount_satang)::int as known, sum(i.amount_satang)::bigint as satang
    ${matchingBudgetItemsSql(search, scope, { without: ['state'], texts: level === 'item' })}
    group by 1, 2, 3, 4`)
}

export async function loadBudgetNames(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const rows = await db.query<{ id: number; name: string }>(
    sql`select id, name from budget_names where id = any (${[...ids]}::int[])`,
  )
  return new Map(rows.map(({ id, name }) => [id, name]))
}

export type BudgetDiscountRow = {
  readonly n: number
  readonly weighted: number | null
  readonly median: number | null
  readonly amounts_in_doubt: number
}

/** Loads the discount of the linked projects against their reference price. Each project counts once. */
export async function loadBudgetDiscount(
  db: Db,
  search: BudgetSearch,
  scope: BudgetItemScope,
): Promise<BudgetDiscountRow> {
  const [row] = await db.query<BudgetDiscountRow>(sql`
    with ${decidedBudgetItemStatesSql(scope.organisationId)}, awarded as (
      select distinct l.project_id, l.estimate_satang, l.winner_satang
      from (select i.id ${matchingBudgetItemsSql(search, scope)}) f
      join budget_links l on l.item_id = f.id
      left join budget_link_decisions d on d.organisation_id = ${scope.organisationId}::int and d.item_id = l.item_id and d.project_id = l.project_id
      where ${IS_EFFECTIVE_BUDGET_LINK_SQL} and l.state = 4
    ), won as (select * from awarded where estimate_satang > 0 and winner_satang > 0)
    select count(*)::int as n, (sum(estimate_satang - winner_satang)::float8 / nullif(sum(estimate_satang), 0)::float8) as weighted,
      percentile_cont(0.5) within group (order by (estimate_satang - winner_satang)::float8 / estimate_satang::float8) as median,
      (select count(*)::int from awarded a where ${isPriceInDoubtSql(sql`a`, sql`a.winner_satang`)}) as amounts_in_doubt
    from won`)
  return row!
}

export async function countBudgetProjectsByMonth(
  db: Db,
  search: BudgetSearch,
  scope: BudgetItemScope,
): Promise<{ month: number; n: number }[]> {
  if (scope.years.length === 0) return []
  return db.query<{ month: number; n: number }>(sql`
    with ${decidedBudgetItemStatesSql(scope.organisationId)}
    select extract(month from l.announced_on)::int as month, count(distinct l.project_id)::int as n
    from (select i.id ${matchingBudgetItemsSql(search, scope, { without: ['state'] })}) f
    join budget_links l on l.item_id = f.id
    left join budget_link_decisions d on d.organisation_id = ${scope.organisationId}::int and d.item_id = l.item_id and d.project_id = l.project_id
    where ${IS_EFFECTIVE_BUDGET_LINK_SQL} and l.announced_on is not null
    group by 1 order by 1`)
}

export type BudgetKeywordTotalRow = {
  readonly word: string
  readonly fiscal_year: number
  readonly n: number
  readonly known: number
  readonly satang: number | null
}

export async function loadBudgetKeywordTotals(
  db: Db,
  search: BudgetSearch,
  scope: BudgetItemScope,
): Promise<BudgetKeywordTotalRow[]> {
  return db.query<BudgetKeywordTotalRow>(sql`
    with ${decidedBudgetItemStatesSql(scope.organisationId)}, found as (
      select distinct k.word, f.id, f.fiscal_year, f.amount_satang
      from (select i.id, i.fiscal_year, i.amount_satang, m.keywords ${matchingBudgetItemsSql(search, scope, { without: ['keyword'], matches: true })}) f
      cross join unnest(f.keywords) found_by (id)
      join keywords k on k.organisation_id = ${scope.organisationId}::int and k.id = found_by.id
    )
    select word, fiscal_year, count(*)::int as n, count(amount_satang)::int as known, sum(amount_satang)::bigint as satang
    from found group by word, fiscal_year`)
}

export async function loadInclusionKeywords(db: Db, organisationId: number): Promise<string[]> {
  const rows = await db.query<{ word: string }>(sql`
    select word from keywords
    where organisation_id = ${organisationId}::int and list in ('include', 'ai_include', 'deptsub_include') group by word order by min(id)`)
  return rows.map(({ word }) => word)
}
