import sql from 'sql-template-tag'
import {
  type AmountInDoubtColumns,
  BIDDER_COVERAGE_COLUMNS_SQL,
  type BidderCoverageColumns,
  type CompanyFactScope,
  IS_WIN_VALUE_IN_DOUBT_SQL,
  type StatisticsScopeColumns,
  scopedCompanyFactsSql,
  YEAR_RANGE_COLUMNS_SQL,
} from '#server/market/company/company-scope.ts'
import type { Db } from '#server/platform/engine/db.ts'

/**
 * The statement reads all projects of all companies, so it gets a long timeout. It runs only once per load, because its
 * result is cached.
 */
const COUNT_TIMEOUT_MS = 60_000

/** Project counts of one combination of filter values. Year and province 0 mean unknown. */
export type CompanyProjectSlice = BidderCoverageColumns &
  AmountInDoubtColumns & {
    readonly fiscal_year: number
    readonly method: string
    readonly method_type: string
    readonly project_province: number
    readonly has_awards: boolean
  }

/**
 * Counts every project with a company once, grouped by the scope's filter columns: a few thousand rows for millions of
 * projects.
 */
export async function countCompanyProjectSlices(db: Db): Promise<CompanyProjectSlice[]> {
  return db.query<CompanyProjectSlice>(
    sql`
      with counted as (
        select f.fiscal_year, f.method, f.method_type, f.project_province, bool_or(f.is_decided) as has_awards, ${BIDDER_COVERAGE_COLUMNS_SQL},
          count(d.project_id) as amounts_in_doubt
        from (
          select distinct on (f.project_id) f.project_id, f.fiscal_year, f.method, f.method_type, f.project_province, f.coverage, f.is_decided
          from company_projects f order by f.project_id
        ) f
        left join (select distinct f.project_id from company_projects f where ${IS_WIN_VALUE_IN_DOUBT_SQL}) d on d.project_id = f.project_id
        group by f.fiscal_year, f.method, f.method_type, f.project_province
      )
      select coalesce(t.fiscal_year, 0) as fiscal_year, m.value as method, y.value as method_type,
        coalesce(t.project_province, 0) as project_province, t.has_awards, t.projects, t.coverage_full, t.coverage_names, t.coverage_winner, t.amounts_in_doubt
      from counted t
      join match_values m on m.id = t.method
      join match_values y on y.id = t.method_type`,
    { timeoutMs: COUNT_TIMEOUT_MS },
  )
}

export async function countCompanyScopeProjects(db: Db, scope: CompanyFactScope): Promise<StatisticsScopeColumns> {
  const facts = scopedCompanyFactsSql(scope)
  const [counts] = await db.query<StatisticsScopeColumns>(sql`
    select ${BIDDER_COVERAGE_COLUMNS_SQL}, ${YEAR_RANGE_COLUMNS_SQL}, count(*) filter (where f.is_in_doubt) as amounts_in_doubt
    from (
      select f.project_id, f.fiscal_year, f.coverage, bool_or(${IS_WIN_VALUE_IN_DOUBT_SQL}) as is_in_doubt from ${facts.from} where ${facts.where}
      group by f.project_id, f.fiscal_year, f.coverage
    ) f`)
  return counts!
}
