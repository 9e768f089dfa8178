import sql from 'sql-template-tag'
import {
  COVERAGE_COLUMNS,
  type CoverageColumns,
  type FactScope,
  scopedFactsSql,
  YEAR_COLUMNS,
  type YearColumns,
} from '#server/market/company/company-scope.ts'
import type { Db } from '#server/platform/engine/db.ts'

/** The statement reads all projects of all companies, but runs only once per load, because its result is cached. */
const COUNT_TIMEOUT_MS = 60_000

/** Project counts of one combination of filter values. Year and province 0 mean unknown. */
export type ProjectSlice = CoverageColumns & {
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
export async function countCompanyProjects(db: Db): Promise<ProjectSlice[]> {
  return db.query<ProjectSlice>(
    sql`
      with counted as (
        select f.fiscal_year, f.method, f.method_type, f.project_province, bool_or(f.is_decided) as has_awards, ${COVERAGE_COLUMNS}
        from (
          select distinct on (f.project_id) f.fiscal_year, f.method, f.method_type, f.project_province, f.coverage, f.is_decided
          from company_projects f order by f.project_id
        ) f
        group by f.fiscal_year, f.method, f.method_type, f.project_province
      )
      select coalesce(t.fiscal_year, 0) as fiscal_year, m.value as method, y.value as method_type,
        coalesce(t.project_province, 0) as project_province, t.has_awards, t.projects, t.coverage_full, t.coverage_names, t.coverage_winner
      from counted t
      join match_values m on m.id = t.method
      join match_values y on y.id = t.method_type`,
    { timeoutMs: COUNT_TIMEOUT_MS },
  )
}

export async function countCompanyScope(db: Db, scope: FactScope): Promise<CoverageColumns & YearColumns> {
  const facts = scopedFactsSql(scope)
  const [counts] = await db.query<CoverageColumns & YearColumns>(sql`
    select ${COVERAGE_COLUMNS}, ${YEAR_COLUMNS}
    from (select distinct f.project_id, f.fiscal_year, f.coverage from ${facts.from} where ${facts.where}) f`)
  return counts!
}
