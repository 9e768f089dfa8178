import sql from 'sql-template-tag'
import type { Db } from '#server/platform/engine/db.ts'
import type { RejectedBudgetRow } from './budget-row.ts'

const NO_TIMEOUT = { timeoutMs: 0 }
/**
 * Key of the lock that serialises imports of one year. The value is arbitrary but must be the same in every process.
 */
const YEAR_LOCK_KEY = 71_230

export async function lockBudgetYear(tx: Db, fiscalYear: number): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock(${YEAR_LOCK_KEY}::int, ${fiscalYear}::int)`, NO_TIMEOUT)
}

export type BudgetItemKey = {
  readonly source_id: string
  readonly unit: number
  readonly plan: number
  readonly project: number
  readonly categories: readonly number[]
  readonly description: string
}
export type BudgetItemRow = BudgetItemKey & {
  readonly id: number
  readonly fiscal_year: number
  readonly ministry: number
  readonly category: number
  readonly amount_satang: number | null
  readonly province: number | null
  readonly is_multi_year: boolean
  readonly is_cross_function: boolean
  readonly output_name: string | null
  readonly project_name: string | null
  readonly search_compact: string
  readonly search_spaced: string
  readonly document: number
  readonly page: number | null
}

export async function resolveBudgetNameIds(tx: Db, names: readonly string[]): Promise<ReadonlyMap<string, number>> {
  await tx.execute(
    sql`
      insert into budget_names (name)
      select name from unnest(${[...names]}::text[]) name where name not in (select n.name from budget_names n)
      on conflict do nothing`,
    NO_TIMEOUT,
  )
  const rows = await tx.query<{ id: number; name: string }>(
    sql`select id, name from budget_names where name = any (${[...names]}::text[])`,
    NO_TIMEOUT,
  )
  return new Map(rows.map(({ id, name }) => [name, id]))
}

export async function loadBudgetItemKeys(tx: Db, fiscalYear: number): Promise<(BudgetItemKey & { id: number })[]> {
  return tx.query<BudgetItemKey & { id: number }>(
    sql`
      select i.id, t.source_id, i.unit, i.plan, i.project, i.categories, t.description
      from budget_items i join budget_item_texts t on t.item_id = i.id where i.fiscal_year = ${fiscalYear}::smallint order by i.id`,
    NO_TIMEOUT,
  )
}

export async function reserveBudgetItemIds(tx: Db, count: number): Promise<number[]> {
  const rows = await tx.query<{ id: number }>(sql`
    select nextval(pg_get_serial_sequence('budget_items', 'id')) as id from generate_series(1, ${count}::int)`)
  // The caller consumes the list with pop(), so sort in reverse to give the first row the smallest id.
  return rows.map(({ id }) => id).sort((a, b) => b - a)
}

export async function deleteBudgetItems(tx: Db, ids: readonly number[]): Promise<void> {
  await tx.execute(sql`delete from budget_items where id = any (${[...ids]}::int[])`, NO_TIMEOUT)
}

/** Upserts items by id. Skips unchanged items, so that their words need not be split again. */
export async function upsertBudgetItems(tx: Db, rows: readonly BudgetItemRow[]): Promise<void> {
  const json = JSON.stringify(
    rows.map(({ categories, ...row }) => ({ ...row, categories: `{${categories.join(',')}}` })),
  )
  await tx.execute(
    sql`
      insert into budget_items as i (id, fiscal_year, ministry, unit, plan, project, category, categories, amount_satang, province, is_multi_year, is_cross_function)
      overriding system value
      select r.id, r.fiscal_year, r.ministry, r.unit, r.plan, r.project, r.category, r.categories::int[], r.amount_satang, r.province, r.is_multi_year,
        r.is_cross_function
      from json_to_recordset(${json}::text::json) as r (id int, fiscal_year smallint, ministry int, unit int, plan int, project int, category int,
        categories text, amount_satang bigint, province smallint, is_multi_year boolean, is_cross_function boolean)
      on conflict (id) do update set ministry = excluded.ministry, unit = excluded.unit, plan = excluded.plan, project = excluded.project,
        category = excluded.category, categories = excluded.categories, amount_satang = excluded.amount_satang, province = excluded.province,
        is_multi_year = excluded.is_multi_year, is_cross_function = excluded.is_cross_function
      where (i.ministry, i.plan, i.project, i.categories, i.amount_satang, i.province, i.is_multi_year, i.is_cross_function)
        is distinct from (excluded.ministry, excluded.plan, excluded.project, excluded.categories, excluded.amount_satang, excluded.province,
          excluded.is_multi_year, excluded.is_cross_function)`,
    NO_TIMEOUT,
  )
  await tx.execute(
    sql`
      insert into budget_item_texts as t (item_id, source_id, description, output, project, search_compact, search_spaced, document, page)
      select r.id, r.source_id, r.description, r.output_name, r.project_name, r.search_compact, r.search_spaced, r.document, r.page
      from json_to_recordset(${json}::text::json) as r (id int, source_id text, description text, output_name text, project_name text,
        search_compact text, search_spaced text, document int, page int)
      on conflict (item_id) do update set source_id = excluded.source_id, description = excluded.description, output = excluded.output,
        project = excluded.project, search_compact = excluded.search_compact, search_spaced = excluded.search_spaced, document = excluded.document,
        page = excluded.page, words_version = case when t.description = excluded.description then t.words_version else 0 end
      where (t.source_id, t.description, t.search_compact, t.output, t.project, t.document, t.page)
        is distinct from (excluded.source_id, excluded.description, excluded.search_compact, excluded.output, excluded.project, excluded.document, excluded.page)`,
    NO_TIMEOUT,
  )
}

export type NewBudgetLoad = {
  readonly fiscalYear: number
  readonly origin: string
  readonly at: Date
  readonly read: number
  readonly items: number
  readonly refused: readonly RejectedBudgetRow[]
  readonly sources: readonly string[]
}

export async function insertBudgetLoad(tx: Db, load: NewBudgetLoad): Promise<number> {
  const { fiscalYear, refused } = load
  const [row] = await tx.query<{ id: number }>(sql`
    insert into budget_loads (fiscal_year, origin, loaded_at, read_rows, items, quarantined_rows)
    values (${fiscalYear}::smallint, ${load.origin}, ${load.at.toISOString()}::timestamptz, ${load.read}::int, ${load.items}::int, ${refused.length}::int)
    returning id`)
  const id = row!.id
  await tx.execute(sql`
    insert into budget_quarantined_rows (load_id, line, reason, raw)
    select ${id}::bigint, r.line, r.reason, r.raw from json_to_recordset(${JSON.stringify(refused)}::text::json) as r (line int, reason text, raw text)`)
  await tx.execute(sql`
    insert into budget_years (fiscal_year, load_id, items, sources)
    values (${fiscalYear}::smallint, ${id}::bigint, ${load.items}::int, ${[...load.sources]}::text[])
    on conflict (fiscal_year) do update set load_id = excluded.load_id, items = excluded.items, sources = excluded.sources`)
  return id
}

export async function findQuarantinedBudgetRows(
  db: Db,
  loadId: number,
  after: number,
  limit: number,
): Promise<RejectedBudgetRow[]> {
  return db.query<RejectedBudgetRow>(sql`
    select line, reason, raw from budget_quarantined_rows where load_id = ${loadId}::bigint and line > ${after}::int order by line limit ${limit}::int`)
}
