import sql, { type Sql } from 'sql-template-tag'
import { MAX_AGENCY_UNITS } from '#contract/market/agency.ts'
import type { PurchaseFilter, WhoWinsScope } from '#server/market/who-wins/award-set.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { TERMINATED_CONTRACT_STATUS } from '#server/platform/text/contract-status.ts'
import { hiddenProjectIdsSql } from '#server/report/match-sql.ts'

/** Spending is in satang. */
export type NamedPurchaseTotal = { readonly name: string; readonly n: number; readonly spent: number | null }

const SUM = sql`count(*)::int as n, sum(s.spent_satang)::int8 as spent`
const HIGHEST_VALUE_FIRST = sql`order by spent desc nulls last, n desc, name`
// Every `offset 0` forces index lookups (at most 5,000 projects a year) instead of hashing 1.4 million contracts.
const IS_DECIDED = sql`exists (select from project_spending s where s.project_id = p.project_id offset 0)`
const IS_TIMED = sql`p.contract_signed_on >= p.bidding_invited_on and ${IS_DECIDED}`
const IS_BACKWARDS = sql`p.contract_signed_on < p.bidding_invited_on and ${IS_DECIDED}`
const IS_TERMINATED = sql`exists (select from contracts c where c.project_id = p.project_id and c.status = ${TERMINATED_CONTRACT_STATUS}::text offset 0)`

/**
 * Durations per purchase method, the method with most projects first; the row with a null method covers all methods.
 */
export type StoredMethodDurations = {
  readonly method: string | null
  readonly n: number
  readonly lower: number | null
  readonly median: number | null
  readonly upper: number | null
}

type PurchaseSummary = {
  readonly projects: number
  readonly backwards: number
  readonly terminated: number
  readonly announced: readonly { readonly month: number; readonly n: number }[]
  readonly days: readonly StoredMethodDurations[]
  readonly types: readonly NamedPurchaseTotal[]
  /** Per keyword group of the organisation: its purchases in the report. A null group means keywords without a group. */
  readonly groups: readonly (Pick<NamedPurchaseTotal, 'n' | 'spent'> & {
    readonly id: number | null
    readonly name: string | null
  })[]
  /**
   * Purchases of all units of the agency per unit, at most `MAX_AGENCY_UNITS`. Projects without a unit are listed under
   * the agency's name.
   */
  readonly units: readonly NamedPurchaseTotal[]
  readonly unit_count: number
  /** Fiscal years in which any unit of the agency purchased, newest first. */
  readonly years: readonly number[]
  /** Purchases of the units in the organisation's report, of all years. */
  readonly matches: number
}

type PurchaseSummaryOptions = {
  readonly purchases: PurchaseFilter
  readonly agencyUnits: readonly number[]
  readonly scope: Pick<WhoWinsScope, 'organisationId' | 'userId' | 'isMarket'>
}

/**
 * Computes all figures of an agency's purchases in one statement: looking up the projects, their spending and their
 * matches costs more than all sums over them, so each project is read once.
 */
export async function summarisePurchases(
  db: Db,
  { purchases: { units, yearFrom, yearTo }, agencyUnits, scope }: PurchaseSummaryOptions,
): Promise<PurchaseSummary> {
  const { organisationId, userId, isMarket } = scope
  const quartile = (fraction: number) => sql`percentile_cont(${fraction}::float8) within group (order by p.days)`
  const jsonArray = (rows: Sql) => sql`(select coalesce(json_agg(x), '[]') from (${rows}) x)`
  const [summary] = await db.query<PurchaseSummary>(sql`
    with spending as materialized ( -- undecided projects have no row
      select x.project_id, x.spent_satang from project_spending x where x.department_id = any (${[...agencyUnits]}::int[])
    ),
    of_agency as materialized (
      select p.department_id, p.fiscal_year, p.method, p.method_type, p.bidding_invited_on, s.spent_satang, s.project_id is not null as is_decided,
        case when s.project_id is not null then p.contract_signed_on - p.bidding_invited_on end as days,
        p.project_id in (select c.project_id from contracts c where c.status = ${TERMINATED_CONTRACT_STATUS}::text) as is_terminated,
        p.department_id = any (${[...units]}::int[]) as is_of_units,
        coalesce(p.fiscal_year >= ${yearFrom ?? null}::int, ${yearFrom === undefined}::boolean)
          and coalesce(p.fiscal_year <= ${yearTo ?? null}::int, ${yearTo === undefined}::boolean) as is_of_years,
        m.words_id, m.words_id is not null and p.project_id not in (${hiddenProjectIdsSql(userId)}) as is_in_report
      from projects p left join spending s on s.project_id = p.project_id
      left join lateral (
        select x.words_id from project_matches x where x.organisation_id = ${organisationId}::int and x.project_id = p.project_id offset 0
      ) m on true
      where p.department_id = any (${[...agencyUnits]}::int[])
    ),
    selected as (select * from of_agency p where p.is_of_years and (${isMarket}::boolean or p.is_in_report)),
    bought as materialized (select * from selected p where p.is_of_units),
    units as materialized (
      select coalesce(nullif(d.sub_name, ''), d.name) as name, ${SUM}
      from selected s join departments d on d.id = s.department_id and d.id = any (${[...agencyUnits]}::int[]) where s.is_decided group by 1
    ),
    groups as materialized (
      select distinct w.id as words_id, k.group_id
      from match_words w cross join lateral jsonb_array_elements(w.reasons) r
      join keywords k on k.organisation_id = ${organisationId}::int and k.id = (r ->> 'keyword')::int
      where w.organisation_id = ${organisationId}::int and w.id in (select p.words_id from bought p where p.is_in_report)
    )
    select count(*)::int as projects, count(*) filter (where p.days < 0)::int as backwards, count(*) filter (where p.is_terminated)::int as terminated,
      ${jsonArray(sql`
        select extract(month from p.bidding_invited_on)::int as month, count(*)::int as n from bought p where p.bidding_invited_on is not null group by 1`)} as announced,
      ${jsonArray(sql`
        select p.method, count(*)::int as n, ${quartile(0.25)} as lower, ${quartile(0.5)} as median, ${quartile(0.75)} as upper
        from bought p where p.days >= 0 group by grouping sets ((), (p.method)) order by n desc, p.method nulls first`)} as days,
      ${jsonArray(sql`select s.method_type as name, ${SUM} from bought s where s.is_decided group by s.method_type ${HIGHEST_VALUE_FIRST}`)} as types,
      ${jsonArray(sql`
        select x.group_id as id, g.name, ${SUM}
        from bought s join groups x on x.words_id = s.words_id left join keyword_groups g on g.id = x.group_id
        where s.is_in_report group by x.group_id, g.name order by n desc, spent desc nulls last, g.name nulls last`)} as groups,
      ${jsonArray(sql`select u.name, u.n, u.spent from units u ${HIGHEST_VALUE_FIRST} limit ${MAX_AGENCY_UNITS}::int`)} as units,
      (select count(*)::int from units) as unit_count,
      array(select distinct y.fiscal_year from of_agency y where y.fiscal_year is not null order by 1 desc) as years,
      (select count(*)::int from of_agency o where o.is_of_units and o.is_in_report) as matches
    from bought p`)
  return summary!
}

export function purchaseFigureCondition(kind: string, value: string | undefined): Sql | undefined {
  if (kind === 'found' && value === undefined) return sql`true`
  if (kind === 'backwards' && value === undefined) return IS_BACKWARDS
  if (kind === 'terminated' && value === undefined) return IS_TERMINATED
  if (kind === 'timed') return value === undefined ? IS_TIMED : sql`${IS_TIMED} and p.method = ${value}::text`
  if (kind === 'announced' && (value === undefined || /^([1-9]|1[012])$/.test(value)))
    return value === undefined
      ? sql`p.bidding_invited_on is not null`
      : sql`extract(month from p.bidding_invited_on) = ${Number(value)}::int`
  if (value === undefined) return undefined
  if (kind === 'type') return sql`${IS_DECIDED} and p.method_type = ${value}::text`
  if (kind !== 'unit') return undefined
  return sql`${IS_DECIDED} and exists (
    select from departments d where d.id = p.department_id and coalesce(nullif(d.sub_name, ''), d.name) = ${value}::text)`
}

/** Lists projects newest first, by id, because later projects have higher ids. */
export async function findPurchasedProjects(
  db: Db,
  condition: Sql,
  limit: number,
): Promise<{ readonly total: number; readonly ids: string[] }> {
  // Materialised, because the planner would otherwise scan all projects by id to get the order.
  const [result] = await db.query<{ total: number; ids: string[] }>(sql`
    with found as materialized (select p.project_id from projects p where ${condition})
    select (select count(*)::int from found) as total,
      array(select f.project_id from found f order by f.project_id desc limit ${limit}::int8) as ids`)
  return result!
}
