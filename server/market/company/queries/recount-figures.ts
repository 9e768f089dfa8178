import sql from 'sql-template-tag'
import { DISCOUNT_RATE_SQL } from '#server/market/company/company-scope.ts'
import { preferIndexScans, resumeForeignKeyChecks, skipForeignKeyChecks } from '#server/platform/engine/bulk-write.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { purchasingUnitsWithAgencySql } from '#server/platform/text/agency-sql.ts'

const NO_TIMEOUT = { timeoutMs: 0 }

/** Finds companies whose figures must be recounted. `lane`: 0 for even company ids, 1 for odd ones. */
export async function findStaleCompanies(db: Db, limit: number, lane: 0 | 1): Promise<number[]> {
  const rows = await db.query<{ id: number }>(
    sql`select c.id from companies c where c.is_stale and c.id % 2 = ${lane}::int order by c.id limit ${limit}::int`,
    NO_TIMEOUT,
  )
  return rows.map(({ id }) => id)
}

export async function countStaleCompanies(db: Db): Promise<number> {
  const [row] = await db.query<{ companies: number }>(
    sql`select count(*) as companies from companies c where c.is_stale`,
    NO_TIMEOUT,
  )
  return row!.companies
}

export async function findStaleDepartments(db: Db, limit: number): Promise<number[]> {
  const rows = await db.query<{ department_id: number }>(
    sql`select s.department_id from stale_departments s order by s.department_id limit ${limit}::int`,
    NO_TIMEOUT,
  )
  return rows.map(({ department_id }) => department_id)
}

const WON_COLUMNS = sql`count(*)::int, count(*) filter (where f.is_winner)::int, sum(f.value_satang)::bigint,
  nullif(count(*) filter (where f.coverage > 0), 0)::int,
  case when count(*) filter (where f.coverage > 0) > 0 then count(*) filter (where f.coverage > 0 and f.is_decided)::int end,
  case when count(*) filter (where f.coverage > 0) > 0 then count(*) filter (where f.coverage > 0 and f.is_winner)::int end`
const AGAINST_REFERENCE = sql`filter (where f.discount_base_satang is not null and not f.is_against_budget)`
const DISCOUNT_COLUMNS = sql`count(*) ${AGAINST_REFERENCE}::int, sum(f.discount_base_satang) ${AGAINST_REFERENCE}::bigint,
  sum(f.discount_base_satang - f.value_satang) ${AGAINST_REFERENCE}::bigint`
const COVERAGE_COUNTS = sql`count(*) filter (where f.coverage = 2)::int, count(*) filter (where f.coverage = 1)::int,
  count(*) filter (where f.coverage = 0)::int`

export async function recountCompanyFigures(tx: Db, companyIds: readonly number[]): Promise<void> {
  const ids = sql`${[...companyIds]}::int[]`
  await preferIndexScans(tx)
  await skipForeignKeyChecks(tx)
  await tx.execute(sql`delete from company_figures f where f.company_id = any (${ids})`, NO_TIMEOUT)
  await tx.execute(sql`delete from company_slices f where f.company_id = any (${ids})`, NO_TIMEOUT)
  await tx.execute(
    sql`
      insert into company_figures (company_id, fiscal_year, projects, wins, value_satang, bids, bids_decided, bids_won, discount_n,
        discount_base_satang, discount_saved_satang, discount_median, departments, top_method, last_win_on, coverage_full, coverage_names, coverage_winner)
      select f.company_id, y.year, ${WON_COLUMNS}, ${DISCOUNT_COLUMNS}, percentile_cont(0.5) within group (order by ${DISCOUNT_RATE_SQL}) ${AGAINST_REFERENCE},
        count(distinct d.agency) filter (where f.is_winner)::int, mode() within group (order by f.method) filter (where f.is_winner),
        max(f.decided_on) filter (where f.is_winner), ${COVERAGE_COUNTS}
      from company_projects f
      join ${purchasingUnitsWithAgencySql(sql`unit.id in (select x.department_id from company_projects x where x.company_id = any (${ids}))`)} d on d.id = f.department_id
      cross join lateral (select 0 as year union all select f.fiscal_year where f.fiscal_year is not null) y
      where f.company_id = any (${ids}) group by f.company_id, y.year`,
    NO_TIMEOUT,
  )
  await tx.execute(
    sql`
      insert into company_slices (company_id, fiscal_year, method, method_type, project_province, projects, wins, value_satang, bids, bids_decided,
        bids_won, discount_n, discount_base_satang, discount_saved_satang, last_win_on, coverage_full, coverage_names, coverage_winner)
      select f.company_id, coalesce(f.fiscal_year, 0), f.method, f.method_type, coalesce(f.project_province, 0), ${WON_COLUMNS}, ${DISCOUNT_COLUMNS},
        max(f.decided_on) filter (where f.is_winner), ${COVERAGE_COUNTS}
      from company_projects f where f.company_id = any (${ids})
      group by f.company_id, coalesce(f.fiscal_year, 0), f.method, f.method_type, coalesce(f.project_province, 0)`,
    NO_TIMEOUT,
  )
  await tx.execute(
    sql`
      update company_names n set uses = u.uses
      from (
        select x.id, count(f.project_id)::int as uses
        from company_names x left join company_projects f on f.company_id = x.company_id and f.name_id = x.id
        where x.company_id = any (${ids}) group by x.id
      ) u
      where n.company_id = any (${ids}) and n.id = u.id and n.uses <> u.uses`,
    NO_TIMEOUT,
  )
  await tx.execute(sql`delete from company_names n where n.company_id = any (${ids}) and n.uses = 0`, NO_TIMEOUT)
  // Deleting a company cascades to its names and stored figures.
  await resumeForeignKeyChecks(tx)
  await tx.execute(
    sql`
      delete from companies c where c.id = any (${ids}) and not exists (select from company_projects f where f.company_id = c.id)`,
    NO_TIMEOUT,
  )
  await tx.execute(
    sql`
      update companies c set is_stale = false, name = coalesce(n.name, c.tax_id), name_key = coalesce(n.name_key, c.tax_id), is_sme = s.is_sme
      from unnest(${ids}) as t (id)
      left join lateral (
        select x.name, x.name_key from company_names x where x.company_id = t.id order by x.uses desc, x.name collate "C" limit 1
      ) n on true
      left join lateral (
        select f.is_sme from company_projects f where f.company_id = t.id and f.is_sme is not null
        order by f.happened_on desc nulls last, f.project_id desc limit 1
      ) s on true
      where c.id = t.id`,
    NO_TIMEOUT,
  )
}

export async function recountDepartmentSpending(tx: Db, departmentIds: readonly number[]): Promise<void> {
  const ids = sql`${[...departmentIds]}::int[]`
  await tx.execute(sql`delete from department_spending s where s.department_id = any (${ids})`, NO_TIMEOUT)
  await tx.execute(
    sql`
      insert into department_spending (department_id, fiscal_year, method, method_type, project_province, projects, spent_satang)
      select s.department_id, coalesce(s.fiscal_year, 0), s.method, s.method_type, coalesce(s.project_province, 0), count(*)::int,
        sum(s.spent_satang)::bigint
      from project_spending s where s.department_id = any (${ids})
      group by s.department_id, coalesce(s.fiscal_year, 0), s.method, s.method_type, coalesce(s.project_province, 0)`,
    NO_TIMEOUT,
  )
  await tx.execute(sql`delete from stale_departments s where s.department_id = any (${ids})`, NO_TIMEOUT)
}
