import sql from 'sql-template-tag'
import type { Db } from '#server/engine/db.ts'

/** Whether links or matches of any year are older than what they are made from: four looks into small tables. */
export async function isBudgetStale(db: Db, linksVersion: number): Promise<boolean> {
  const [row] = await db.query<{ stale: boolean }>(
    sql`
      select exists (select from budget_years) and (
        exists (select from budget_years y join budget_loads l on l.id = y.load_id where not l.is_linked)
        or exists (select from loads where state = 'published' and traits_version > 0 and budget_version <> ${linksVersion}::smallint)
        or exists (
          select from organisations o cross join budget_years y
          where (o.is_access_budget_year or o.is_access_budget_year_only) and not o.is_disabled and not exists (
            select from budget_match_runs r where r.organisation_id = o.id and r.fiscal_year = y.fiscal_year
              and r.rules_version = o.rules_version and r.load_id = y.load_id
          )
        )
      ) as stale`,
    { timeoutMs: 0 },
  )
  return row!.stale
}

export async function hasBudget(db: Db): Promise<boolean> {
  return (await db.query(sql`select from budget_years limit 1`)).length > 0
}
