import sql from 'sql-template-tag'
import type { Db } from '#server/engine/db.ts'

export type StoredPair = { readonly a: number; readonly b: number; readonly met: number }

/** Pairs of companies that met most often in the organisation's report; only projects whose bidders are known tell of meetings. */
export async function findPairs(db: Db, organisationId: number, most: number): Promise<StoredPair[]> {
  return db.query<StoredPair>(sql`
    with bids as materialized (
      select f.project_id, f.company_id
      from project_matches m join company_projects f on f.project_id = m.project_id
      where m.organisation_id = ${organisationId}::int and f.coverage > 0
    )
    select a.company_id as a, b.company_id as b, count(*)::int as met
    from bids a join bids b on b.project_id = a.project_id and b.company_id > a.company_id
    group by a.company_id, b.company_id order by count(*) desc, a.company_id, b.company_id limit ${most}::int`)
}
