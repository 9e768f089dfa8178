import sql, { type Sql } from 'sql-template-tag'
import { MAX_AGENCY_UNITS } from '#contract/market/agency.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { TERMINATED_CONTRACT_STATUS } from '#server/platform/text/contract-status.ts'

/** Spending is in satang. */
export type NamedPurchaseTotal = { readonly name: string; readonly n: number; readonly spent: number | null }

const SUM = sql`count(*)::int as n, sum(s.spent_satang)::int8 as spent`
const HIGHEST_VALUE_FIRST = sql`order by spent desc nulls last, n desc, name`
// Every `offset 0` forces index lookups (at most 5,000 projects a year) instead of hashing 1.4 million contracts.
const IS_DECIDED = sql`exists (select from project_spending s where s.project_id = p.project_id offset 0)`
const IS_TIMED = sql`p.contract_signed_on >= p.bidding_invited_on and ${IS_DECIDED}`
const IS_BACKWARDS = sql`p.contract_signed_on < p.bidding_invited_on and ${IS_DECIDED}`
const IS_TERMINATED = sql`exists (select from contracts c where c.project_id = p.project_id and c.status = ${TERMINATED_CONTRACT_STATUS}::text offset 0)`
/** Joins the spending of project `p` as `s`; undecided projects have no row. */
const SPENDING = sql`lateral (select x.* from project_spending x where x.project_id = p.project_id offset 0) s`

export async function loadPurchaseYears(db: Db, units: readonly number[]): Promise<number[]> {
  const rows = await db.query<{ year: number }>(sql`
    select distinct p.fiscal_year as year from projects p where p.department_id = any (${[...units]}::int[]) and p.fiscal_year is not null order by 1 desc`)
  return rows.map(({ year }) => year)
}

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

type PurchaseCounts = {
  readonly projects: number
  readonly backwards: number
  readonly terminated: number
  readonly announced: readonly { readonly month: number; readonly n: number }[]
  readonly days: readonly StoredMethodDurations[]
  readonly types: readonly NamedPurchaseTotal[]
}

/**
 * Computes all counts in one statement, so that each project is read once. In this file, `bought` is a condition on
 * project `p`.
 */
export async function countPurchases(db: Db, bought: Sql): Promise<PurchaseCounts> {
  const quartile = (fraction: number) => sql`percentile_cont(${fraction}::float8) within group (order by p.days)`
  const jsonArray = (rows: Sql) => sql`(select coalesce(json_agg(x), '[]') from (${rows}) x)`
  const [counts] = await db.query<PurchaseCounts>(sql`
    with bought as materialized (
      select p.method, p.method_type, p.bidding_invited_on, s.spent_satang, s.project_id is not null as is_decided,
        case when s.project_id is not null then p.contract_signed_on - p.bidding_invited_on end as days, ${IS_TERMINATED} as is_terminated
      from projects p left join ${SPENDING} on true where ${bought}
    )
    select count(*)::int as projects, count(*) filter (where p.days < 0)::int as backwards, count(*) filter (where p.is_terminated)::int as terminated,
      ${jsonArray(sql`
        select extract(month from p.bidding_invited_on)::int as month, count(*)::int as n from bought p where p.bidding_invited_on is not null group by 1`)} as announced,
      ${jsonArray(sql`
        select p.method, count(*)::int as n, ${quartile(0.25)} as lower, ${quartile(0.5)} as median, ${quartile(0.75)} as upper
        from bought p where p.days >= 0 group by grouping sets ((), (p.method)) order by n desc, p.method nulls first`)} as days,
      ${jsonArray(sql`select s.method_type as name, ${SUM} from bought s where s.is_decided group by s.method_type ${HIGHEST_VALUE_FIRST}`)} as types
    from bought p`)
  return counts!
}

/**
 * Sums purchases per unit. Projects without a unit are listed under the agency's name. `total` is the number of units.
 */
export async function sumPurchasesByUnit(
  db: Db,
  bought: Sql,
): Promise<readonly (NamedPurchaseTotal & { readonly total: number })[]> {
  return await db.query<NamedPurchaseTotal & { total: number }>(sql`
    select coalesce(nullif(d.sub_name, ''), d.name) as name, ${SUM}, count(*) over ()::int as total
    from projects p cross join ${SPENDING} join departments d on d.id = p.department_id
    where ${bought} group by 1 ${HIGHEST_VALUE_FIRST} limit ${MAX_AGENCY_UNITS}::int`)
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
