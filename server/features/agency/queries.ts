import sql, { type Sql } from 'sql-template-tag'
import { MOST_UNITS } from '#contract/company/agency.ts'
import type { Db } from '#server/engine/db.ts'
import { CONTRACT_TERMINATED } from '#server/text/contract-status.ts'

/** Projects and their money, satang, under a name. */
export type NamedSum = { readonly name: string; readonly n: number; readonly spent: number | null }

const SUM = sql`count(*)::int as n, sum(s.spent_satang)::int8 as spent`
const DEAREST = sql`order by spent desc nulls last, n desc, name`
/** From the invitation to the first signature. */
const DAYS = sql`(p.contract_signed_on - p.bidding_invited_on)`
/** Decided, with both days known, the invitation no later. */
const IS_TIMED = sql`p.contract_signed_on >= p.bidding_invited_on and exists (select from project_spending s where s.project_id = p.project_id)`
const IS_BACKWARDS = sql`p.contract_signed_on < p.bidding_invited_on and exists (select from project_spending s where s.project_id = p.project_id)`
/** With a contract that was ended early. */
const IS_TERMINATED = sql`exists (select from contracts c where c.project_id = p.project_id and c.status = ${CONTRACT_TERMINATED}::text)`

/** Fiscal years of the projects of these units, newest first. */
export async function loadYears(db: Db, units: readonly number[]): Promise<number[]> {
  const rows = await db.query<{ year: number }>(sql`
    select distinct p.fiscal_year as year from projects p where p.department_id = any (${[...units]}::int[]) and p.fiscal_year is not null order by 1 desc`)
  return rows.map(({ year }) => year)
}

/** Counts projects, projects whose dates are in the wrong order, and projects with a contract that ended early. `bought`: a condition on project `p`, here and below. */
export async function countProjects(
  db: Db,
  bought: Sql,
): Promise<{ readonly projects: number; readonly backwards: number; readonly terminated: number }> {
  const [row] = await db.query<{ projects: number; backwards: number; terminated: number }>(sql`
    select count(*)::int as projects, count(*) filter (where ${IS_BACKWARDS})::int as backwards,
      count(*) filter (where ${IS_TERMINATED})::int as terminated
    from projects p where ${bought}`)
  return row!
}

/** Invitations by calendar month. */
export async function countAnnounced(db: Db, bought: Sql): Promise<{ readonly month: number; readonly n: number }[]> {
  return await db.query(sql`
    select extract(month from p.bidding_invited_on)::int as month, count(*)::int as n from projects p
    where ${bought} and p.bidding_invited_on is not null group by 1`)
}

/** Days of all, under a null method, and of each method, most projects first. */
export type StoredDays = {
  readonly method: string | null
  readonly n: number
  readonly lower: number | null
  readonly median: number | null
  readonly upper: number | null
}

export async function loadDays(db: Db, bought: Sql): Promise<StoredDays[]> {
  const at = (part: number) => sql`percentile_cont(${part}::float8) within group (order by ${DAYS})`
  return await db.query<StoredDays>(sql`
    select p.method, count(*)::int as n, ${at(0.25)} as lower, ${at(0.5)} as median, ${at(0.75)} as upper
    from projects p where ${bought} and ${IS_TIMED} group by grouping sets ((), (p.method)) order by n desc, p.method nulls first`)
}

/** What decided projects cost by kind of purchase, dearest first. */
export async function sumByType(db: Db, bought: Sql): Promise<NamedSum[]> {
  return await db.query<NamedSum>(sql`
    select p.method_type as name, ${SUM} from projects p join project_spending s on s.project_id = p.project_id where ${bought}
    group by p.method_type ${DEAREST}`)
}

/** The same by purchasing unit, the first of them; what names no unit stands under the agency's name. `total`: how many there are. */
export async function sumByUnit(db: Db, bought: Sql): Promise<readonly (NamedSum & { readonly total: number })[]> {
  return await db.query<NamedSum & { total: number }>(sql`
    select coalesce(nullif(d.sub_name, ''), d.name) as name, ${SUM}, count(*) over ()::int as total
    from projects p join project_spending s on s.project_id = p.project_id join departments d on d.id = p.department_id
    where ${bought} group by 1 ${DEAREST} limit ${MOST_UNITS}::int`)
}

/** Conditions of the figures that are counted here, on a project (alias `p`); undefined for a text that names none of them. */
export function conditionOf(kind: string, named: string | undefined): Sql | undefined {
  if (kind === 'found' && named === undefined) return sql`true`
  if (kind === 'backwards' && named === undefined) return IS_BACKWARDS
  if (kind === 'terminated' && named === undefined) return IS_TERMINATED
  if (kind === 'timed') return named === undefined ? IS_TIMED : sql`${IS_TIMED} and p.method = ${named}::text`
  if (kind === 'announced' && (named === undefined || /^([1-9]|1[012])$/.test(named)))
    return named === undefined
      ? sql`p.bidding_invited_on is not null`
      : sql`extract(month from p.bidding_invited_on) = ${Number(named)}::int`
  if (named === undefined) return undefined
  const isDecided = sql`exists (select from project_spending s where s.project_id = p.project_id)`
  if (kind === 'type') return sql`${isDecided} and p.method_type = ${named}::text`
  if (kind !== 'unit') return undefined
  return sql`${isDecided} and exists (
    select from departments d where d.id = p.department_id and coalesce(nullif(d.sub_name, ''), d.name) = ${named}::text)`
}

/** How many projects meet a condition, and some of them, the highest number first: later projects have higher ones. */
export async function findProjects(
  db: Db,
  condition: Sql,
  most: number,
): Promise<{ readonly total: number; readonly ids: string[] }> {
  const [count] = await db.query<{ total: number }>(
    sql`select count(*)::int as total from projects p where ${condition}`,
  )
  const rows = await db.query<{ id: string }>(sql`
    select p.project_id as id from projects p where ${condition} order by p.project_id desc limit ${most}::int8`)
  return { total: count!.total, ids: rows.map(({ id }) => id) }
}
