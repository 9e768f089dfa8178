import sql, { type Sql } from 'sql-template-tag'
import { BUDGET_DEFAULT_PAGE_SIZE, type BudgetSearch } from '#contract/market/budget-params.ts'
import type { Db } from '#server/platform/engine/db.ts'
import {
  BUDGET_ITEM_STATE_SQL,
  BUDGET_STATE_CODES,
  type BudgetItemScope,
  budgetTextSearchCondition,
  decidedBudgetItemStatesSql,
  matchingBudgetItemsSql,
} from './budget-filter-sql.ts'
import type { BudgetTextCache } from './budget-text-cache.ts'

export type StoredBudgetItem = {
  readonly id: number
  readonly source_id: string
  readonly fiscal_year: number
  readonly ministry: string
  readonly unit: string
  readonly plan: string
  readonly output: string | null
  readonly project: string | null
  readonly categories: string[]
  readonly description: string
  readonly amount_satang: number | null
  readonly is_multi_year: boolean
  readonly is_cross_function: boolean
  readonly province: number | null
  readonly document: string
  readonly page: number | null
  readonly words: string[] | null
  readonly excluded_by: string | null
  readonly state: number
  readonly links: number
  readonly guesses: number
}

const ORDERS: Readonly<Record<string, { readonly column: Sql; readonly sql: Sql }>> = {
  '-amount': { column: sql`i.amount_satang as sorted`, sql: sql`sorted desc nulls last` },
  amount: { column: sql`i.amount_satang as sorted`, sql: sql`sorted nulls last` },
  description: { column: sql`t.description collate thai as sorted`, sql: sql`sorted` },
  unit: {
    column: sql`(select n.name from budget_names n where n.id = i.unit) collate thai as sorted`,
    sql: sql`sorted`,
  },
  // Sort by progress, the most advanced first; cancelled just before none.
  state: {
    column: sql`array_position(array[4, 3, 2, 1, 0]::smallint[], ${BUDGET_ITEM_STATE_SQL}) as sorted`,
    sql: sql`sorted`,
  },
}

export type StoredBudgetItemPage = {
  readonly total: number
  readonly total_satang: number | null
  readonly rows: StoredBudgetItem[]
}

/**
 * Adds the item ids of the text search to the scope, so that all figures of one response share a single search of
 * 50,000 texts a year. Returns the scope unchanged when there is no text search. `texts`: in-memory cache, tried first.
 */
export async function addBudgetTextSearchHits(
  db: Db,
  search: BudgetSearch,
  scope: BudgetItemScope,
  texts: BudgetTextCache | undefined,
): Promise<BudgetItemScope> {
  const searched = budgetTextSearchCondition(search)
  if (!searched) return scope
  const cachedHits = await texts?.find(search.q!, scope.years)
  if (cachedHits) return { ...scope, hits: cachedHits }
  const rows = await db.query<{ fiscal_year: number; hits: number[] }>(sql`
    select i.fiscal_year, array_agg(i.id) as hits from budget_items i join budget_item_texts t on t.item_id = i.id
    where i.fiscal_year = any (${[...scope.years]}::smallint[]) and ${searched} group by i.fiscal_year`)
  return { ...scope, hits: new Map(rows.map(({ fiscal_year, hits }) => [fiscal_year, hits])) }
}

export async function loadBudgetItemPage(
  db: Db,
  search: BudgetSearch,
  scope: BudgetItemScope,
): Promise<StoredBudgetItemPage> {
  const size = search.page_size ?? BUDGET_DEFAULT_PAGE_SIZE
  const offset = ((search.page ?? 1) - 1) * size
  const order = ORDERS[search.ordering ?? '-amount']!
  const [totals] = await db.query<Pick<StoredBudgetItemPage, 'total' | 'total_satang'>>(sql`
    with ${decidedBudgetItemStatesSql(scope.organisationId)}
    select count(*)::int as total, ${nullableSumSql(sql`i.amount_satang`)} as total_satang ${matchingBudgetItemsSql(search, scope)}`)
  const picked = await db.query<{ id: number }>(sql`
    with ${decidedBudgetItemStatesSql(scope.organisationId)}
    select f.id from (
      select i.id, ${order.column} ${matchingBudgetItemsSql(search, scope, { texts: search.ordering === 'description' })}
    ) f
    order by ${order.sql}, f.id limit ${size}::int offset ${offset}::bigint`)
  return {
    ...totals!,
    rows: await loadBudgetItemsById(
      db,
      picked.map(({ id }) => id),
      scope.organisationId,
    ),
  }
}

/** SQL sum that is null when every value is unknown and 0 when there are no rows. */
const nullableSumSql = (column: Sql) => sql`(case when count(*) = 0 then 0 else sum(${column}) end)::bigint`

export async function loadBudgetItemsById(
  db: Db,
  ids: readonly number[],
  organisationId: number,
): Promise<StoredBudgetItem[]> {
  if (ids.length === 0) return []
  return db.query<StoredBudgetItem>(sql`
    with ${decidedBudgetItemStatesSql(organisationId)}
    select i.id, t.source_id, i.fiscal_year, mn.name as ministry, un.name as unit, pn.name as plan, t.output, t.project,
      coalesce((select json_agg(n.name order by c.place) from unnest(i.categories) with ordinality c (id, place) join budget_names n on n.id = c.id), '[]') as categories,
      t.description, i.amount_satang, i.is_multi_year, i.is_cross_function, i.province, dn.name as document, t.page,
      m.words, m.excluded_by, ${BUDGET_ITEM_STATE_SQL} as state, coalesce(own.links, i.links)::int as links, coalesce(own.guesses, i.guesses)::int as guesses
    from unnest(${[...ids]}::int[]) with ordinality picked (id, place)
    join budget_items i on i.id = picked.id
    join budget_item_texts t on t.item_id = i.id
    join budget_names mn on mn.id = i.ministry
    join budget_names un on un.id = i.unit
    join budget_names pn on pn.id = i.plan
    join budget_names dn on dn.id = t.document
    left join budget_matches m on m.organisation_id = ${organisationId}::int and m.item_id = i.id
    left join own on own.item_id = i.id
    order by picked.place`)
}

export async function countBudgetItemsByYear(
  db: Db,
  search: BudgetSearch,
  scope: BudgetItemScope,
): Promise<{ fiscal_year: number; n: number }[]> {
  return db.query<{ fiscal_year: number; n: number }>(sql`
    with ${decidedBudgetItemStatesSql(scope.organisationId)}
    select i.fiscal_year, count(*)::int as n ${matchingBudgetItemsSql(search, scope)} group by i.fiscal_year order by i.fiscal_year desc`)
}

export type StoredBudgetLink = {
  readonly project_id: string
  readonly name: string
  readonly dept_name: string
  readonly dept_sub_name: string
  readonly fiscal_year: number | null
  readonly budget_satang: number | null
  readonly winner_name: string | null
  readonly winner_satang: number | null
  readonly movement: string
  readonly movement_on: string | null
  readonly state: number
  readonly confidence: number
  readonly reasons: string[]
  readonly decision: 'confirmed' | 'rejected' | null
  readonly decided_by: string | null
  readonly in_report: boolean
}

/**
 * Returns the links of an item for this organisation, most confident first. Links that exist only because of another
 * organisation's decision are excluded.
 */
export async function loadBudgetLinks(db: Db, itemId: number, organisationId: number): Promise<StoredBudgetLink[]> {
  return db.query<StoredBudgetLink>(sql`
    select l.project_id, p.name, dp.name as dept_name, dp.sub_name as dept_sub_name, p.fiscal_year, p.budget_satang, p.winner_name, p.winner_satang,
      p.movement, p.movement_on, l.state, round(l.confidence::numeric, 2)::float8 as confidence, l.reasons, d.decision,
      case when d.decision is not null then coalesce(nullif(concat_ws(' ', u.first_name, u.last_name), ''), u.email) end as decided_by,
      exists (select from project_matches m where m.organisation_id = ${organisationId}::int and m.project_id = l.project_id) as in_report
    from budget_links l
    join projects p on p.project_id = l.project_id
    join departments dp on dp.id = p.department_id
    left join budget_link_decisions d on d.organisation_id = ${organisationId}::int and d.item_id = l.item_id and d.project_id = l.project_id
    left join users u on u.id = d.decided_by
    where l.item_id = ${itemId}::int and (l.confidence > 0 or d.decision is not null)
    order by coalesce(d.decision, '') = 'confirmed' desc, coalesce(d.decision, '') = 'rejected', l.confidence desc, l.project_id`)
}

/**
 * Finds the same item in other years: same unit, and the same description or the same text before the list of yearly
 * shares.
 */
export async function loadBudgetItemInOtherYears(
  db: Db,
  item: Pick<StoredBudgetItem, 'id'> & { readonly purchaseName: string },
  years: readonly number[],
): Promise<{ id: number; fiscal_year: number; amount_satang: number | null; description: string }[]> {
  return db.query<{ id: number; fiscal_year: number; amount_satang: number | null; description: string }>(sql`
    select i.id, i.fiscal_year, i.amount_satang, t.description
    from budget_items this
    join budget_items i on i.unit = this.unit and i.fiscal_year <> this.fiscal_year and i.fiscal_year = any (${[...years]}::smallint[])
    join budget_item_texts t on t.item_id = i.id
    where this.id = ${item.id}::int
      and (t.description = ${item.purchaseName}::text or starts_with(t.description, ${`${item.purchaseName} วงเงิน`}::text))
    order by i.fiscal_year, i.id limit 20`)
}

export async function isBudgetItemInYears(db: Db, itemId: number, years: readonly number[]): Promise<boolean> {
  return (
    (
      await db.query(
        sql`select from budget_items where id = ${itemId}::int and fiscal_year = any (${[...years]}::smallint[])`,
      )
    ).length > 0
  )
}

export const toBudgetStateCode = (number: number) => BUDGET_STATE_CODES[number] ?? 'none'
