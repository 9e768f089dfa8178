import sql, { raw, type Sql } from 'sql-template-tag'

const NEWEST_LOAD = sql`(
  select l.id, l.night from loads l where l.state = 'published' and not l.is_history order by l.published_at desc nulls last, l.id desc limit 1
)`

/**
 * SQL expression: id of the last published non-history load, whose time is the time of the report. Evaluated once per
 * statement.
 */
export const LATEST_DATA_LOAD_ID_SQL = sql`(select n.id from ${NEWEST_LOAD} n)`

export const LATEST_DATA_LOAD_COLUMNS_SQL = sql`${LATEST_DATA_LOAD_ID_SQL} as load, (select max(l.published_at) from loads l where l.state = 'published') as "dataTime"`

const edgeOf = (aggregate: 'min' | 'max') => sql`case when n.night is null then n.id else (
    select ${raw(aggregate)}(l.id) from loads l where l.state = 'published' and l.night = n.night) end`
const edge = (aggregate: 'min' | 'max') => sql`(select ${edgeOf(aggregate)} from ${NEWEST_LOAD} n)`
const FIRST_LOAD = edge('min')
const LAST_LOAD = edge('max')
/**
 * SQL expression: loads between the bounds that belong to no nightly run, because they are history or were published
 * before nightly runs were recorded. There are very few.
 */
const LOADS_WITHOUT_NIGHT = sql`array(select l.id from loads l where l.state = 'published' and l.night is null and l.id > ${FIRST_LOAD} and l.id < ${LAST_LOAD} order by l.id)`

/**
 * SQL condition: the load counts for New and Updated (D3). All loads of the newest load's nightly run count or, outside
 * a nightly run, the newest load alone (decision 0059). Tests two bounds plus rare exceptions, because a nightly run
 * may have a thousand loads and an array would be searched for every row. The condition is null if `load` is null.
 */
export const inLatestDataLoadsCondition = (load: Sql): Sql =>
  sql`(${load} between ${FIRST_LOAD} and ${LAST_LOAD} and ${load} <> all (${LOADS_WITHOUT_NIGHT}))`

/**
 * SQL expression: the latest loads (bounds and exceptions) as text, for caching and comparison; null while nothing is
 * published. `offset 0` makes PostgreSQL compute each bound once.
 */
export const LATEST_DATA_LOADS_TEXT_SQL = sql`(
  select concat_ws(' ', e.first, e.last, nullif(array_to_string(array(
    select l.id from loads l where l.state = 'published' and l.night is null and l.id > e.first and l.id < e.last order by l.id), ' '), ''))
  from (select ${edgeOf('min')} as first, ${edgeOf('max')} as last from ${NEWEST_LOAD} n offset 0) e)`

/**
 * Like `inLatestDataLoadsCondition`, but uses a text that was read before, for statements that also read
 * `LATEST_DATA_LOADS_TEXT_SQL` to detect changes.
 */
export function createInLatestDataLoadsCondition(latest: string | null): (load: Sql) => Sql {
  const [first, last, ...exceptions] = latest?.split(' ') ?? []
  return (load) =>
    sql`(${load} between ${first ?? null}::bigint and ${last ?? null}::bigint and ${load} <> all (${exceptions}::bigint[]))`
}

export function createLatestDataLoadPredicate(latest: string | null): (load: number) => boolean {
  if (latest === null) return () => false
  const [first, last, ...exceptionIds] = latest.split(' ').map(Number)
  const exceptions = new Set(exceptionIds)
  return (load) => load >= first! && load <= last! && !exceptions.has(load)
}
