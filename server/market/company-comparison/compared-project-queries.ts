import sql, { empty } from 'sql-template-tag'
import type { Db } from '#server/platform/engine/db.ts'
import type { CompanyComparisonScope } from './company-facts.ts'

export type CompanyComparisonTargetProject = {
  readonly project_id: string
  readonly name: string
  readonly department_id: number
  readonly dept_name: string
  readonly dept_sub_name: string
  readonly project_province: number | null
  readonly method_type: string
  readonly submission_ends_on: string | null
  /** Reference price, else budget, else winning price. */
  readonly size_satang: number | null
}

export async function loadCompanyComparisonTarget(
  db: Db,
  projectId: string,
  organisationId: number,
): Promise<CompanyComparisonTargetProject | undefined> {
  const [target] = await db.query<CompanyComparisonTargetProject>(sql`
    select p.project_id, p.name, p.department_id, d.name as dept_name, d.sub_name as dept_sub_name, p.project_province, p.method_type,
      p.submission_ends_on,
      coalesce(nullif(p.estimate_satang, 0), nullif(p.budget_satang, 0), nullif(p.winner_satang, 0)) as size_satang
    from project_matches m
    join projects p on p.project_id = m.project_id
    join departments d on d.id = p.department_id
    where m.organisation_id = ${organisationId}::int and m.project_id = ${projectId}::text`)
  return target
}

type LikelyBidderSearch = {
  /** False searches all units of the agency in the same province. `sizes` is in satang, undefined when unknown. */
  readonly isUnit: boolean
  readonly sizes: { readonly from: number; readonly to: number } | undefined
  readonly since: string
  readonly limit: number
}

export type StoredLikelyBidder = {
  readonly company_id: number
  readonly wins: number
  readonly bids: number
  readonly last_on: string
}

export async function findLikelyBidders(
  db: Db,
  target: CompanyComparisonTargetProject,
  { isUnit, sizes, since, limit }: LikelyBidderSearch,
): Promise<StoredLikelyBidder[]> {
  const units = isUnit
    ? sql`f.department_id = ${target.department_id}::int`
    : sql`f.department_id = any (array(select d.id from departments d where d.name = ${target.dept_name}))
        and f.project_province is not distinct from ${target.project_province}::smallint`
  return db.query<StoredLikelyBidder>(sql`
    select f.company_id, count(*) filter (where f.is_winner)::int as wins, count(*) filter (where f.coverage > 0)::int as bids,
      max(coalesce(f.decided_on, f.happened_on)) as last_on
    from company_projects f
    where ${units} and f.project_id <> ${target.project_id} and (f.is_winner or f.coverage > 0)
      and f.method_type = (select v.id from match_values v where v.kind = 'method_type' and v.value = ${target.method_type})
      and coalesce(f.decided_on, f.happened_on) >= ${since}::date
      ${sizes ? sql`and coalesce(f.reference_satang, f.value_satang, f.bid_satang) between ${sizes.from}::bigint and ${sizes.to}::bigint` : empty}
    group by f.company_id
    order by count(*) desc, count(*) filter (where f.is_winner) desc, max(coalesce(f.decided_on, f.happened_on)) desc, f.company_id
    limit ${limit}::int`)
}

type StoredPair = { readonly a: number; readonly b: number; readonly met: number }

/**
 * Returns the pairs of companies that met most often in the organisation's report. Counts only projects with known
 * bidders, like a comparison with `scope=watch`.
 */
export async function findFrequentCompanyPairs(db: Db, organisationId: number, limit: number): Promise<StoredPair[]> {
  return db.query<StoredPair>(sql`
    with bids as materialized (
      select f.project_id, f.company_id
      from project_matches m join company_projects f on f.project_id = m.project_id
      where m.organisation_id = ${organisationId}::int and f.coverage > 0
    )
    select a.company_id as a, b.company_id as b, count(*)::int as met
    from bids a join bids b on b.project_id = a.project_id and b.company_id > a.company_id
    group by a.company_id, b.company_id order by count(*) desc, a.company_id, b.company_id limit ${limit}::int`)
}

export type StoredCompanyParticipation = {
  readonly company_id: number
  readonly price_satang: number | null
  readonly is_winner: boolean
}

export type StoredCommonProject = {
  readonly project_id: string
  readonly name: string
  readonly dept_name: string
  readonly dept_sub_name: string
  readonly fiscal_year: number | null
  readonly decided_on: string | null
  readonly estimate_satang: number | null
  readonly criteria: string
  readonly winner_name: string | null
  readonly parts: readonly StoredCompanyParticipation[]
  readonly lowest_satang: number | null
  readonly in_report: boolean
}

type ProjectScope = Pick<CompanyComparisonScope, 'organisationId' | 'companyIds'>

export async function loadCommonProjects(
  db: Db,
  projectIds: readonly string[],
  { organisationId, companyIds }: ProjectScope,
): Promise<StoredCommonProject[]> {
  return db.query<StoredCommonProject>(sql`
    select p.project_id, p.name, d.name as dept_name, d.sub_name as dept_sub_name, p.fiscal_year, f.decided_on, f.reference_satang as estimate_satang,
      p.criteria, p.winner_name, f.parts,
      (select min(b.price_satang) from bidders b where b.project_id = p.project_id) as lowest_satang,
      exists (select from project_matches m where m.organisation_id = ${organisationId}::int and m.project_id = p.project_id) as in_report
    from unnest(${[...projectIds]}::text[]) with ordinality as picked(project_id, place)
    join projects p on p.project_id = picked.project_id
    join departments d on d.id = p.department_id
    join lateral (
      select max(f.decided_on) as decided_on, max(f.reference_satang) as reference_satang,
        json_agg(json_build_object('company_id', f.company_id, 'price_satang', coalesce(f.bid_satang, f.value_satang), 'is_winner', f.is_winner)
          order by array_position(${[...companyIds]}::int[], f.company_id)) as parts
      from company_projects f where f.project_id = p.project_id and f.company_id = any (${[...companyIds]}::int[])
    ) f on true
    order by picked.place`)
}

export async function loadProjectNames(
  db: Db,
  projectIds: readonly string[],
  organisationId: number,
): Promise<Map<string, { readonly name: string; readonly in_report: boolean }>> {
  const rows = await db.query<{ project_id: string; name: string; in_report: boolean }>(sql`
    select p.project_id, p.name,
      exists (select from project_matches m where m.organisation_id = ${organisationId}::int and m.project_id = p.project_id) as in_report
    from projects p where p.project_id = any (${[...projectIds]}::text[])`)
  return new Map(rows.map((row) => [row.project_id, row]))
}
