import sql from 'sql-template-tag'
import type { CompanyRef } from '#contract/company/company.ts'
import type { Db } from '#server/engine/db.ts'
import { COMPANY_REF } from '#server/features/company/company-ref-sql.ts'
import type { FactScope } from '#server/features/company/company-scope.ts'
import { factsSql, MEETING_RESULTS } from '../facts-sql.ts'

const MOST_COMPETITORS = 20

export type StoredCompetitor = CompanyRef & {
  readonly met: number
  readonly we_won: number
  readonly they_won: number
  readonly others_won: number
  readonly mean_gap: number | null
  readonly n_gap: number
  readonly last_met: string | null
}

/** Prices of both and the reference price: only where all three are known. */
const GAP = sql`((o.bid_satang - f.bid_satang)::float8 / nullif(f.reference_satang, 0))`

/** Who bid against the company in projects whose bidders are known, met most often first. */
export async function loadCompetitors(db: Db, companyId: number, scope: FactScope): Promise<StoredCompetitor[]> {
  return db.query<StoredCompetitor>(sql`
    with facts as materialized (${factsSql(companyId, scope)}),
      met as materialized (
        select o.company_id, count(*)::int as met, count(*) filter (where ${MEETING_RESULTS.we_won})::int as we_won,
          count(*) filter (where ${MEETING_RESULTS.they_won})::int as they_won, count(*) filter (where ${MEETING_RESULTS.others_won})::int as others_won,
          avg(${GAP}) as mean_gap, count(${GAP})::int as n_gap, max(coalesce(f.decided_on, f.happened_on)) as last_met
        from facts f join company_projects o on o.project_id = f.project_id
        where f.coverage > 0 and o.coverage > 0 and o.company_id <> ${companyId}::int
        group by o.company_id order by count(*) desc, max(coalesce(f.decided_on, f.happened_on)) desc nulls last, o.company_id
        limit ${MOST_COMPETITORS}::int
      )
    select ${COMPANY_REF}, m.met, m.we_won, m.they_won, m.others_won, m.mean_gap, m.n_gap, m.last_met
    from met m join companies c on c.id = m.company_id
    order by m.met desc, m.last_met desc nulls last, c.id`)
}
