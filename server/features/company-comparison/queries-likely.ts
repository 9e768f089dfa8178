import sql, { empty } from 'sql-template-tag'
import type { Db } from '#server/engine/db.ts'
import { andOfSample } from '#server/features/demo/sample-only.ts'

/** The project that bidders are looked for. */
export type Target = {
  readonly project_id: string
  readonly name: string
  readonly department_id: number
  readonly dept_name: string
  readonly dept_sub_name: string
  readonly project_province: number | null
  readonly method_type: string
  /** Reference price, else the budget, else what it was won for. */
  readonly size_satang: number | null
  /** Bidders are known from projects of the sample alone. */
  readonly isSampleOnly?: boolean
}

/** The project, when the organisation's report holds it. */
export async function loadTarget(db: Db, projectId: string, organisationId: number): Promise<Target | undefined> {
  const [target] = await db.query<Target>(sql`
    select p.project_id, p.name, p.department_id, d.name as dept_name, d.sub_name as dept_sub_name, p.project_province, p.method_type,
      coalesce(nullif(p.estimate_satang, 0), nullif(p.budget_satang, 0), nullif(p.winner_satang, 0)) as size_satang
    from project_matches m
    join projects p on p.project_id = m.project_id
    join departments d on d.id = p.department_id
    where m.organisation_id = ${organisationId}::int and m.project_id = ${projectId}::text`)
  return target
}

export type LikelySearch = {
  /** The unit that buys alone, or all units of its agency that buy in the same province. */
  readonly isUnit: boolean
  /** Satang; undefined while nobody knows how large the project is. */
  readonly sizes: { readonly from: number; readonly to: number } | undefined
  /** ISO day. */
  readonly since: string
  readonly most: number
}

export type StoredLikely = {
  readonly company_id: number
  readonly wins: number
  /** Projects whose bidders are known. */
  readonly bids: number
  readonly last_on: string
}

/** Companies that bid or won in such projects, those that did most often first. */
export async function findLikely(
  db: Db,
  target: Target,
  { isUnit, sizes, since, most }: LikelySearch,
): Promise<StoredLikely[]> {
  const units = isUnit
    ? sql`f.department_id = ${target.department_id}::int`
    : sql`f.department_id = any (array(select d.id from departments d where d.name = ${target.dept_name}))
        and f.project_province is not distinct from ${target.project_province}::smallint`
  return db.query<StoredLikely>(sql`
    select f.company_id, count(*) filter (where f.is_winner)::int as wins, count(*) filter (where f.coverage > 0)::int as bids,
      max(coalesce(f.decided_on, f.happened_on)) as last_on
    from company_projects f
    where ${units} and f.project_id <> ${target.project_id} ${andOfSample(target.isSampleOnly === true, sql`f.project_id`)} and (f.is_winner or f.coverage > 0)
      and f.method_type = (select v.id from match_values v where v.kind = 'method_type' and v.value = ${target.method_type})
      and coalesce(f.decided_on, f.happened_on) >= ${since}::date
      ${sizes ? sql`and coalesce(f.reference_satang, f.value_satang, f.bid_satang) between ${sizes.from}::bigint and ${sizes.to}::bigint` : empty}
    group by f.company_id
    order by count(*) desc, count(*) filter (where f.is_winner) desc, max(coalesce(f.decided_on, f.happened_on)) desc, f.company_id
    limit ${most}::int`)
}
