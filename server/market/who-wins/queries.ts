import sql from 'sql-template-tag'
import { WINNER_TAX_ID_SQL } from '#server/market/company/company-names-sql.ts'
import type { Db } from '#server/platform/engine/db.ts'
import {
  agencyTextConditionSql,
  listAgencyNameVariants,
  purchasingUnitsWithAgencySql,
} from '#server/platform/text/agency-sql.ts'
import { TERMINATED_CONTRACT_STATUS } from '#server/platform/text/contract-status.ts'

export async function loadAgencyNames(db: Db, units: readonly number[]): Promise<Map<number, string>> {
  const rows = await db.query<{ id: number; name: string }>(
    sql`select d.id, d.agency as name from ${purchasingUnitsWithAgencySql(sql`unit.id = any (${[...units]}::int[])`)} d where d.id = any (${[...units]}::int[])`,
  )
  return new Map(rows.map(({ id, name }) => [id, name]))
}

export type StoredPurchasingUnit = {
  readonly id: number
  readonly name: string
  readonly agency: string
  readonly sub_name: string
  readonly province: number | null
}

export async function loadPurchasingUnits(db: Db, ids: readonly number[]): Promise<Map<number, StoredPurchasingUnit>> {
  const rows = await db.query<StoredPurchasingUnit>(
    sql`select d.id, d.name, d.agency, d.sub_name, d.province
      from ${purchasingUnitsWithAgencySql(sql`unit.id = any (${[...ids]}::int[])`)} d where d.id = any (${[...ids]}::int[])`,
  )
  return new Map(rows.map((row) => [row.id, row]))
}

export async function loadAgencyUnitIds(db: Db, agency: string): Promise<Set<number>> {
  const rows = await db.query<{ id: number }>(sql`
    select d.id from ${purchasingUnitsWithAgencySql(sql`unit.name = any (${listAgencyNameVariants([agency])}::text[])`)} d where ${agencyTextConditionSql(agency)}`)
  return new Set(rows.map(({ id }) => id))
}

export async function loadProcurementMethodNames(db: Db): Promise<Map<number, string>> {
  const rows = await db.query<{ id: number; value: string }>(
    sql`select v.id, v.value from match_values v where v.kind = 'method'`,
  )
  return new Map(rows.map(({ id, value }) => [id, value]))
}

export async function loadTerminatedProjectIds(db: Db): Promise<string[]> {
  const rows = await db.query<{ project_id: string }>(
    sql`select distinct c.project_id from contracts c where c.status = ${TERMINATED_CONTRACT_STATUS}::text order by c.project_id desc`,
  )
  return rows.map(({ project_id: id }) => id)
}

export async function loadBookmarkedProjectIds(db: Db, userId: number): Promise<Set<string>> {
  const rows = await db.query<{ project_id: string }>(
    sql`select b.project_id from bookmarks b where b.user_id = ${userId}::int`,
  )
  return new Set(rows.map(({ project_id }) => project_id))
}

/** A project behind a figure. Money in satang. */
export type StoredWonProject = {
  readonly project_id: string
  readonly name: string
  readonly dept_name: string
  readonly province: number | null
  readonly method: string
  readonly estimate: number | null
  readonly spent: number | null
  readonly base: number | null
  readonly value: number | null
  readonly is_against_budget: boolean | null
  readonly decided_on: string | null
  readonly companies: readonly string[] | null
  readonly winner_name: string | null
  readonly winner_tin: string | null
  readonly is_decided: boolean
  readonly in_report: boolean
}

export async function loadWonProjects(
  db: Db,
  ids: readonly string[],
  organisationId: number,
): Promise<StoredWonProject[]> {
  return await db.query<StoredWonProject>(sql`
    select p.project_id, p.name, d.name as dept_name, p.project_province as province, p.method, p.estimate_satang as estimate, s.spent_satang as spent,
      x.base, x.value, x.is_against_budget, coalesce(x.decided_on, p.winner_announced_on, p.contract_signed_on) as decided_on, x.companies, p.winner_name, ${WINNER_TAX_ID_SQL} as winner_tin,
      s.project_id is not null as is_decided,
      exists (select from project_matches m where m.project_id = p.project_id and m.organisation_id = ${organisationId}::int offset 0) as in_report
    from unnest(${[...ids]}::text[]) with ordinality picked (id, place)
    join projects p on p.project_id = picked.id
    join departments d on d.id = p.department_id
    left join project_spending s on s.project_id = p.project_id
    left join lateral (
      select max(f.discount_base_satang) as base, max(f.value_satang) filter (where f.discount_base_satang is not null) as value,
        bool_or(f.is_against_budget) as is_against_budget, max(f.decided_on) as decided_on,
        array_agg(c.name order by f.value_satang desc nulls last, c.id) as companies
      from company_projects f join companies c on c.id = f.company_id where f.project_id = p.project_id and f.is_winner
    ) x on true
    order by picked.place`)
}
