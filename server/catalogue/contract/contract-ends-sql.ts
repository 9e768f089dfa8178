import sql, { type Sql } from 'sql-template-tag'
import { CLOSED_CONTRACT_STATUSES } from '#server/platform/text/contract-status.ts'

/**
 * SQL condition: contract `c` is active. e-GP does not report it as closed, and its end is not before its signature
 * (2,177 of 1.39 million real contracts have such dates). Never null.
 */
export const IS_ACTIVE_CONTRACT_SQL = sql`(c.ends_on is not null and c.ends_on >= coalesce(c.signed_on, c.ends_on)
  and coalesce(c.status, '') <> all (${[...CLOSED_CONTRACT_STATUSES]}::text[]))`

/**
 * Amount of contract `c` in satang: its own amount, or the project's price `agreed` if this is the project's only
 * contract. The open data gives a price per project, never per contract (0 of 1,388,312).
 */
export const contractAmountSql = (agreed: Sql) => sql`coalesce(c.amount_satang, case when not exists (
  select from contracts o where o.project_id = c.project_id and o.contract_no <> c.contract_no) then ${agreed} end)`

export const contractCountSql = (projectId: Sql) =>
  sql`(select count(*)::int from contracts o where o.project_id = ${projectId})`

/**
 * Selects the ends of the active contracts of project `p`, ascending; null if there are none. `day`: expression that
 * formats one end.
 */
export const activeContractEndDatesSql = (day = sql`c.ends_on`) => sql`case when p.status <> 'project_cancelled' then (
  select json_agg(${day} order by c.ends_on) from contracts c where c.project_id = p.project_id and ${IS_ACTIVE_CONTRACT_SQL}) end`

export const activeContractEndDatesByProjectSql = (ids: Sql) => sql`
  select c.project_id, json_agg(c.ends_on order by c.ends_on) as value
  from contracts c join projects p on p.project_id = c.project_id
  where c.project_id = any (${ids}) and ${IS_ACTIVE_CONTRACT_SQL} and p.status <> 'project_cancelled' group by c.project_id`

export const contractEndsWithinCondition = (days: number, today: string) =>
  sql`c.ends_on between ${today}::date and ${today}::date + ${days}::int`

export const contractEndsWithinDaysSql = (days: number, today: string) => sql`
  select c.project_id from contracts c
  where ${IS_ACTIVE_CONTRACT_SQL} and ${contractEndsWithinCondition(days, today)}`
