import sql from 'sql-template-tag'
import { companyFactsSql } from '#server/market/company/company-facts-sql.ts'
import type { CompanyFactScope } from '#server/market/company/company-scope.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { projectInReportCondition } from './stored-projects.ts'

const MAX_TIMELINE_DOTS = 2000

export type StoredCompanyTimeline = {
  readonly total: number
  readonly rows: readonly {
    readonly project_id: string
    readonly name: string
    readonly date: string
    readonly value_satang: number | null
    readonly method: string
    readonly is_winner: boolean
    readonly in_report: boolean
  }[]
}

export async function loadStoredCompanyTimeline(
  db: Db,
  companyId: number,
  scope: CompanyFactScope,
): Promise<StoredCompanyTimeline> {
  const [timeline] = await db.query<StoredCompanyTimeline>(sql`
    with facts as materialized (${companyFactsSql(companyId, scope)}),
      dots as materialized (
        select f.*, coalesce(f.decided_on, f.happened_on) as day from facts f where coalesce(f.decided_on, f.happened_on) is not null
      ),
      newest as materialized (select f.* from dots f order by f.day desc, f.project_id desc limit ${MAX_TIMELINE_DOTS}::int)
    select (select count(*)::int from dots) as total,
      coalesce((select json_agg(r) from (
        select f.project_id, p.name, f.day as date, coalesce(f.value_satang, f.bid_satang) as value_satang, p.method, f.is_winner,
          ${projectInReportCondition(scope.organisationId)} as in_report
        from newest f join projects p on p.project_id = f.project_id
        order by f.day, f.project_id
      ) r), '[]') as rows`)
  return timeline!
}
