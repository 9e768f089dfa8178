import sql from 'sql-template-tag'
import type { Db } from '#server/platform/engine/db.ts'
import { splitIntoSlices } from '#server/platform/engine/process-in-batches.ts'

/** `from … where …` of organisations `o` and years `y` whose match is missing or older than the keywords or items. */
const STALE_RUNS_SQL = sql`from organisations o cross join budget_years y
  where (o.is_access_budget_year or o.is_access_budget_year_only) and not o.is_disabled and not exists (
    select from budget_match_runs r where r.organisation_id = o.id and r.fiscal_year = y.fiscal_year
      and r.rules_version = o.rules_version and r.load_id = y.load_id
  )`

export async function areBudgetLinksOrMatchesStale(db: Db, linksVersion: number): Promise<boolean> {
  const [row] = await db.query<{ stale: boolean }>(
    sql`
      select exists (select from budget_years) and (
        exists (select from budget_years y join budget_loads l on l.id = y.load_id where not l.is_linked)
        or exists (select from loads where state = 'published' and traits_version > 0 and budget_version <> ${linksVersion}::smallint)
        or exists (
          select ${STALE_RUNS_SQL}
        )
      ) as stale`,
    { timeoutMs: 0 },
  )
  return row!.stale
}

export async function hasBudgetData(db: Db): Promise<boolean> {
  return (await db.query(sql`select from budget_years limit 1`)).length > 0
}

const NO_TIMEOUT = { timeoutMs: 0 }

export type StaleBudgetMatchRun = {
  readonly organisationId: number
  readonly fiscalYear: number
  readonly rulesVersion: number
  readonly loadId: number
}

export async function findStaleBudgetMatchRuns(db: Db): Promise<StaleBudgetMatchRun[]> {
  return db.query<StaleBudgetMatchRun>(sql`
    select o.id as "organisationId", y.fiscal_year as "fiscalYear", o.rules_version as "rulesVersion", y.load_id as "loadId"
    ${STALE_RUNS_SQL}
    order by o.id, y.fiscal_year desc`)
}

export type BudgetItemToMatch = { readonly id: number; readonly description: string; readonly unit: string }

export async function findBudgetItemsToMatch(
  db: Db,
  fiscalYear: number,
  after: number,
  limit: number,
): Promise<BudgetItemToMatch[]> {
  return db.query<BudgetItemToMatch>(
    sql`
      select i.id, t.description, u.name as unit
      from budget_items i join budget_item_texts t on t.item_id = i.id join budget_names u on u.id = i.unit
      where i.fiscal_year = ${fiscalYear}::smallint and i.id > ${after}::int order by i.id limit ${limit}::int`,
    NO_TIMEOUT,
  )
}

export type BudgetItemMatch = {
  readonly item_id: number
  readonly keywords: readonly number[]
  readonly words: readonly string[]
  readonly excluded_by: string | null
}

const ROWS_PER_STATEMENT = 5_000

/**
 * Replaces an organisation's matches of a year in the caller's transaction. Returns false if the year's items have
 * changed since they were read.
 */
export async function replaceBudgetMatches(
  tx: Db,
  { organisationId, fiscalYear, rulesVersion, loadId }: StaleBudgetMatchRun,
  matches: readonly BudgetItemMatch[],
  at: Date,
): Promise<boolean> {
  const current = await tx.query(
    sql`select from budget_years where fiscal_year = ${fiscalYear}::smallint and load_id = ${loadId}::bigint for share`,
    NO_TIMEOUT,
  )
  if (current.length === 0) return false
  await tx.execute(
    sql`
      delete from budget_matches m using budget_items i
      where m.organisation_id = ${organisationId}::int and i.id = m.item_id and i.fiscal_year = ${fiscalYear}::smallint`,
    NO_TIMEOUT,
  )
  for (const slice of splitIntoSlices(matches, ROWS_PER_STATEMENT)) {
    const rows = slice.map((match) => ({ ...match, keywords: `{${match.keywords.join(',')}}` }))
    await tx.execute(
      sql`
        insert into budget_matches (organisation_id, item_id, keywords, words, excluded_by)
        select ${organisationId}::int, r.item_id, r.keywords::int[], array(select json_array_elements_text(r.words)), r.excluded_by
        from json_to_recordset(${JSON.stringify(rows)}::text::json) as r (item_id int, keywords text, words json, excluded_by text)`,
      NO_TIMEOUT,
    )
  }
  await tx.execute(sql`
    insert into budget_match_runs (organisation_id, fiscal_year, rules_version, load_id, matched_at)
    values (${organisationId}::int, ${fiscalYear}::smallint, ${rulesVersion}::int, ${loadId}::bigint, ${at.toISOString()}::timestamptz)
    on conflict (organisation_id, fiscal_year) do update
      set rules_version = excluded.rules_version, load_id = excluded.load_id, matched_at = excluded.matched_at`)
  return true
}
