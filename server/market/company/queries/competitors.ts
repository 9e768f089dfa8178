import sql, { empty, type Sql } from 'sql-template-tag'
import type { CompanyRef } from '#contract/market/company.ts'
import { COMPANY_HEAD_TO_HEAD_CONDITIONS_SQL, companyFactsSql } from '#server/market/company/company-facts-sql.ts'
import { COMPANY_REF_SQL } from '#server/market/company/company-names-sql.ts'
import {
  type CompanyFactScope,
  companyFactConditions,
  companySliceConditions,
  departmentIdsSql,
} from '#server/market/company/company-scope.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { listAgencyNameVariants, purchasingUnitsWithAgencySql } from '#server/platform/text/agency-sql.ts'

/**
 * Returns the spending of agencies in a scope, in satang by agency text, including contracts of natural persons. Omits
 * agencies without a known amount.
 */
export async function loadAgencySpending(
  db: Db,
  names: readonly string[],
  scope: CompanyFactScope,
): Promise<ReadonlyMap<string, number>> {
  if (names.length === 0) return new Map()
  const rows = await db.query<{ department: string; satang: number | null }>(sql`
    select d.agency as department, sum(f.spent_satang)::bigint as satang
    from ${purchasingUnitsWithAgencySql(sql`unit.name = any (${listAgencyNameVariants(names)}::text[])`)} d join ${spendingSource(scope)}
    where d.agency = any (${[...names]}::text[])
    group by d.agency`)
  return new Map(rows.flatMap(({ department, satang }) => (satang === null ? [] : [[department, satang] as const])))
}

/**
 * Returns the SQL source of agency spending: the stored totals or, in the scope of a report, the project rows. Those
 * are read one department at a time, because the planner does not use the index for several departments.
 */
function spendingSource(scope: CompanyFactScope): Sql {
  const { project_dept_sub__in: departments, ...otherFilters } = scope.search
  const slices = companySliceConditions(otherFilters)
  if (!slices)
    return sql`lateral (select s.* from project_spending s where s.department_id = d.id offset 0) f on ${companyFactConditions(scope)}`
  const units = departments ? sql` and d.id = any (${departmentIdsSql(departments)})` : empty
  return sql`department_spending f on f.department_id = d.id and ${slices}${units}`
}

const MAX_COMPETITORS = 20

export type StoredCompetitor = CompanyRef & {
  readonly met: number
  readonly we_won: number
  readonly they_won: number
  readonly others_won: number
  readonly mean_gap: number | null
  readonly n_gap: number
  readonly last_met: string | null
}

const GAP = sql`((o.bid_satang - f.bid_satang)::float8 / nullif(f.reference_satang, 0))`

export async function loadCompetitors(db: Db, companyId: number, scope: CompanyFactScope): Promise<StoredCompetitor[]> {
  return db.query<StoredCompetitor>(sql`
    with facts as materialized (${companyFactsSql(companyId, scope)}),
      met as materialized (
        select o.company_id, count(*)::int as met, count(*) filter (where ${COMPANY_HEAD_TO_HEAD_CONDITIONS_SQL.we_won})::int as we_won,
          count(*) filter (where ${COMPANY_HEAD_TO_HEAD_CONDITIONS_SQL.they_won})::int as they_won, count(*) filter (where ${COMPANY_HEAD_TO_HEAD_CONDITIONS_SQL.others_won})::int as others_won,
          avg(${GAP}) as mean_gap, count(${GAP})::int as n_gap, max(coalesce(f.decided_on, f.happened_on)) as last_met
        from facts f join company_projects o on o.project_id = f.project_id
        where f.coverage > 0 and o.coverage > 0 and o.company_id <> ${companyId}::int
        group by o.company_id order by count(*) desc, max(coalesce(f.decided_on, f.happened_on)) desc nulls last, o.company_id
        limit ${MAX_COMPETITORS}::int
      )
    select ${COMPANY_REF_SQL}, m.met, m.we_won, m.they_won, m.others_won, m.mean_gap, m.n_gap, m.last_met
    from met m join companies c on c.id = m.company_id
    order by m.met desc, m.last_met desc nulls last, c.id`)
}
