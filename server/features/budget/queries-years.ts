import sql from 'sql-template-tag'
import type { Db } from '#server/engine/db.ts'

/** The years that a package names, and the days between which they must lie. */
export async function loadBudgetPackage(
  db: Db,
  organisationId: number,
): Promise<{ allowed: string; start: string | null; end: string | null } | undefined> {
  const [row] = await db.query<{ allowed: string; start: string | null; end: string | null }>(sql`
    select allow_access_budget_year as allowed, customer_config ->> 'start_date_budgetyear' as start, customer_config ->> 'end_date_budgetyear' as end
    from organisations where id = ${organisationId}::int`)
  return row
}

export type LoadedYear = {
  readonly fiscal_year: number
  readonly items: number
  readonly sources: string[]
  readonly loaded_at: string
}

export async function loadedYears(db: Db): Promise<LoadedYear[]> {
  return db.query<LoadedYear>(sql`
    select y.fiscal_year, y.items, y.sources, l.loaded_at from budget_years y join budget_loads l on l.id = y.load_id order by y.fiscal_year desc`)
}

/** When an organisation's words were last looked for in a year; null while they have not been. */
export async function matchedAt(db: Db, organisationId: number, fiscalYear: number): Promise<string | null> {
  const [run] = await db.query<{ matched_at: string }>(sql`
    select matched_at from budget_match_runs where organisation_id = ${organisationId}::int and fiscal_year = ${fiscalYear}::smallint`)
  return run?.matched_at ?? null
}
