import sql, { type Sql } from 'sql-template-tag'
import type { COMPANY_PROJECT_SORT_FIELDS } from '#contract/market/company-params.ts'
import { companyFactsSql, companyFigureRowCondition } from '#server/market/company/company-facts-sql.ts'
import { WINNER_TAX_ID_SQL } from '#server/market/company/company-names-sql.ts'
import { type CompanyFactScope, DISCOUNT_RATE_SQL } from '#server/market/company/company-scope.ts'
import type { CompanyFigureRowFilter } from '#server/market/company/figure-row-filter.ts'
import type { Db } from '#server/platform/engine/db.ts'

export type CompanyProjectSortField = (typeof COMPANY_PROJECT_SORT_FIELDS)[number]
export type CompanyProjectOrder = { readonly field: CompanyProjectSortField; readonly isDescending: boolean }

/** Project of a company. Money in satang, dates ISO, provinces as DOPA codes. */
export type StoredCompanyProject = {
  readonly project_id: string
  readonly name: string
  readonly dept_name: string
  readonly dept_sub_name: string
  readonly project_province: number | null
  readonly fiscal_year: number | null
  readonly method: string
  readonly method_type: string
  readonly criteria: string
  readonly status: string
  readonly movement: string
  readonly budget_satang: number | null
  readonly estimate_satang: number | null
  readonly is_winner: boolean
  readonly value_satang: number | null
  readonly bid_satang: number | null
  readonly discount: number | null
  readonly is_against_budget: boolean
  readonly decided_on: string | null
  readonly winner_name: string | null
  readonly winner_tin: string | null
  readonly winner_count: number
  readonly bidders: number | null
  readonly in_report: boolean
}

export type StoredCompanyProjectPage = {
  readonly total: number
  readonly wins: number
  readonly value_satang: number | null
  readonly rows: readonly StoredCompanyProject[]
}

export type CompanyProjectsQuery = {
  readonly rows: CompanyFigureRowFilter
  readonly order: CompanyProjectOrder
  readonly page: number
  readonly pageSize: number
  /** ISO date in Bangkok. */
  readonly today: string
}

const SORT_EXPRESSIONS: Readonly<Record<CompanyProjectSortField, Sql>> = {
  decided_date: sql`f.decided_on`,
  value: sql`f.value_satang`,
  estimate_budget: sql`f.reference_satang`,
  discount: sql`f.discount`,
  name: sql`(select p.name from projects p where p.project_id = f.project_id) collate thai`,
}

export const projectInReportCondition = (organisationId: number) =>
  sql`exists (select from project_matches m where m.organisation_id = ${organisationId}::int and m.project_id = f.project_id)`

export async function loadCompanyProjects(
  db: Db,
  companyId: number,
  scope: CompanyFactScope,
  { rows, order, page, pageSize, today }: CompanyProjectsQuery,
): Promise<StoredCompanyProjectPage> {
  const [projects] = await db.query<StoredCompanyProjectPage>(sql`
    with facts as materialized (${companyFactsSql(companyId, scope)}),
      hits as materialized (
        select f.*, case when f.discount_base_satang is not null then ${DISCOUNT_RATE_SQL} end as discount from facts f where ${companyFigureRowCondition(rows, today)}
      ),
      page as materialized (
        select f.*, row_number() over () as place from (
          select f.* from hits f
          order by ${SORT_EXPRESSIONS[order.field]} ${order.isDescending ? sql`desc` : sql`asc`} nulls last, f.project_id desc
          limit ${pageSize}::int offset ${(page - 1) * pageSize}::bigint
        ) f
      )
    select (select count(*)::int from hits) as total, (select count(*)::int from hits f where f.is_winner) as wins,
      (select sum(f.value_satang)::bigint from hits f) as value_satang,
      coalesce((select json_agg(r) from (
        select f.project_id, p.name, d.name as dept_name, d.sub_name as dept_sub_name, p.project_province, p.fiscal_year, p.method, p.method_type,
          p.criteria, p.status, p.movement, p.budget_satang, p.estimate_satang, f.is_winner, f.value_satang, f.bid_satang, f.discount,
          f.is_against_budget, f.decided_on, p.winner_name, ${WINNER_TAX_ID_SQL} as winner_tin, p.winner_count,
          case when f.coverage > 0 then (select count(*) from bidders b where b.project_id = f.project_id) end as bidders,
          ${projectInReportCondition(scope.organisationId)} as in_report
        from page f
        join projects p on p.project_id = f.project_id
        join departments d on d.id = p.department_id
        order by f.place
      ) r), '[]') as rows`)
  return projects!
}
