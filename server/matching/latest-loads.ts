import sql, { raw, type Sql } from 'sql-template-tag'

const NEWEST = sql`(
  select l.id, l.night from loads l where l.state = 'published' and not l.is_history order by l.published_at desc nulls last, l.id desc limit 1
)`

/** Id of the last published non-history load, which is the time of the report. Evaluated once per statement. */
export const LATEST_LOAD = sql`(select n.id from ${NEWEST} n)`

/** First or last load of the night of `n`, or `n` itself. */
const edgeOf = (which: 'min' | 'max') => sql`case when n.night is null then n.id else (
    select ${raw(which)}(l.id) from loads l where l.state = 'published' and l.night = n.night) end`
const edge = (which: 'min' | 'max') => sql`(select ${edgeOf(which)} from ${NEWEST} n)`
const FIRST = edge('min')
const LAST = edge('max')
/** Loads between the edges without a night: history, or published before nights were recorded. Very few. */
const APART = sql`array(select l.id from loads l where l.state = 'published' and l.night is null and l.id > ${FIRST} and l.id < ${LAST} order by l.id)`

/**
 * True for loads that count for New and Updated (D3): all of the newest load's night, or that load alone (decision
 * 0059). Two bounds plus rare exceptions, because a night may have a thousand loads and an array would be searched for
 * every row. Null for null.
 */
export const inLatestLoads = (load: Sql): Sql =>
  sql`(${load} between ${FIRST} and ${LAST} and ${load} <> all (${APART}))`

/**
 * The same as text, for caching and comparison: bounds and exceptions; null while nothing is published. `offset 0`:
 * each bound is computed once.
 */
export const LATEST_LOADS = sql`(
  select concat_ws(' ', e.first, e.last, nullif(array_to_string(array(
    select l.id from loads l where l.state = 'published' and l.night is null and l.id > e.first and l.id < e.last order by l.id), ' '), ''))
  from (select ${edgeOf('min')} as first, ${edgeOf('max')} as last from ${NEWEST} n offset 0) e)`

/** `inLatestLoads` from a previously read text, for a statement that also reads `LATEST_LOADS` to detect changes. */
export function inLoadsRead(latest: string | null): (load: Sql) => Sql {
  const [first, last, ...others] = latest?.split(' ') ?? []
  return (load) =>
    sql`(${load} between ${first ?? null}::bigint and ${last ?? null}::bigint and ${load} <> all (${others}::bigint[]))`
}

export function readLatestLoads(latest: string | null): (load: number) => boolean {
  if (latest === null) return () => false
  const [first, last, ...others] = latest.split(' ').map(Number)
  const apart = new Set(others)
  return (load) => load >= first! && load <= last! && !apart.has(load)
}
