import sql, { raw, type Sql } from 'sql-template-tag'

const NEWEST_LOAD = sql`(
  select l.id, l.night from loads l where l.state = 'published' and not l.is_history order by l.published_at desc nulls last, l.id desc limit 1
)`

/** Id of the last published non-history load, which is the time of the report. Evaluated once per statement. */
export const LATEST_LOAD = sql`(select n.id from ${NEWEST_LOAD} n)`

const edgeOf = (aggregate: 'min' | 'max') => sql`case when n.night is null then n.id else (
    select ${raw(aggregate)}(l.id) from loads l where l.state = 'published' and l.night = n.night) end`
const edge = (aggregate: 'min' | 'max') => sql`(select ${edgeOf(aggregate)} from ${NEWEST_LOAD} n)`
const FIRST_LOAD = edge('min')
const LAST_LOAD = edge('max')
/** Loads between the bounds without a night: history, or published before nights were recorded. There are very few. */
const LOADS_WITHOUT_NIGHT = sql`array(select l.id from loads l where l.state = 'published' and l.night is null and l.id > ${FIRST_LOAD} and l.id < ${LAST_LOAD} order by l.id)`

/**
 * True for loads that count for New and Updated (D3): all loads of the newest load's night, or that load alone
 * (decision 0059). Two bounds plus rare exceptions, because a night may have a thousand loads and an array would be
 * searched for every row. Null for null.
 */
export const inLatestLoads = (load: Sql): Sql =>
  sql`(${load} between ${FIRST_LOAD} and ${LAST_LOAD} and ${load} <> all (${LOADS_WITHOUT_NIGHT}))`

/**
 * The latest loads as text, for caching and comparison: bounds and exceptions; null while nothing is published. `offset
 * 0` makes PostgreSQL compute each bound once.
 */
export const LATEST_LOADS = sql`(
  select concat_ws(' ', e.first, e.last, nullif(array_to_string(array(
    select l.id from loads l where l.state = 'published' and l.night is null and l.id > e.first and l.id < e.last order by l.id), ' '), ''))
  from (select ${edgeOf('min')} as first, ${edgeOf('max')} as last from ${NEWEST_LOAD} n offset 0) e)`

/**
 * Like `inLatestLoads`, from a text that was read before, for statements that also read `LATEST_LOADS` to detect
 * changes.
 */
export function inGivenLoads(latest: string | null): (load: Sql) => Sql {
  const [first, last, ...exceptions] = latest?.split(' ') ?? []
  return (load) =>
    sql`(${load} between ${first ?? null}::bigint and ${last ?? null}::bigint and ${load} <> all (${exceptions}::bigint[]))`
}

export function parseLatestLoads(latest: string | null): (load: number) => boolean {
  if (latest === null) return () => false
  const [first, last, ...exceptionIds] = latest.split(' ').map(Number)
  const exceptions = new Set(exceptionIds)
  return (load) => load >= first! && load <= last! && !exceptions.has(load)
}
