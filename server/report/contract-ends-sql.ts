import sql, { type Sql } from 'sql-template-tag'
import { CLOSED_STATUSES } from '#server/platform/text/contract-status.ts'

/**
 * Whether contract `c` is under way until its `ends_on`: not ended in the words of e-GP, and with an end that is not before its signature (2,177 of 1.39 million
 * real ones are). True or false.
 */
export const IS_RUNNING = sql`(c.ends_on is not null and c.ends_on >= coalesce(c.signed_on, c.ends_on)
  and coalesce(c.status, '') <> all (${[...CLOSED_STATUSES]}::text[]))`

/**
 * Satang of contract `c`: its own amount, else what was agreed for its project where that has no other contract. The open data state a price for each
 * project and none for a contract (0 of 1,388,312). `agreed`: the project's price.
 */
export const contractAmount = (agreed: Sql) => sql`coalesce(c.amount_satang, case when not exists (
  select from contracts o where o.project_id = c.project_id and o.contract_no <> c.contract_no) then ${agreed} end)`

/** How many contracts the project with this id has. */
export const contractsOf = (projectId: Sql) =>
  sql`(select count(*)::int from contracts o where o.project_id = ${projectId})`

/** Ends of the contracts of project `p` that are under way, the first one first; null: none. `day`: how an end is written. */
export const contractEnds = (day = sql`c.ends_on`) => sql`case when p.status <> 'project_cancelled' then (
  select json_agg(${day} order by c.ends_on) from contracts c where c.project_id = p.project_id and ${IS_RUNNING}) end`

/** `contractEnds` of these projects that have any, as `value`. */
export const contractEndsOf = (ids: Sql) => sql`
  select c.project_id, json_agg(c.ends_on order by c.ends_on) as value
  from contracts c join projects p on p.project_id = c.project_id
  where c.project_id = any (${ids}) and ${IS_RUNNING} and p.status <> 'project_cancelled' group by c.project_id`

/** Whether contract `c` ends today or on one of the next `days`. */
export const endsWithin = (days: number, today: string) =>
  sql`c.ends_on between ${today}::date and ${today}::date + ${days}::int`

/** Projects with a contract under way that ends today or on one of the next `days`. */
export const endingWithin = (days: number, today: string) => sql`
  select c.project_id from contracts c
  where ${IS_RUNNING} and ${endsWithin(days, today)}`
