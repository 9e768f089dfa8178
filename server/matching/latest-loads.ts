import sql, { raw, type Sql } from 'sql-template-tag'

const NEWEST = sql`(
  select l.id, l.night from loads l where l.state = 'published' and not l.is_history order by l.published_at desc nulls last, l.id desc limit 1
)`

/** The load published last that is no history: its moment is the report's. Evaluated once per statement. */
export const LATEST_LOAD = sql`(select n.id from ${NEWEST} n)`

/** Of the night of load `n`, or that load alone. */
const edgeOf = (which: 'min' | 'max') => sql`case when n.night is null then n.id else (
    select ${raw(which)}(l.id) from loads l where l.state = 'published' and l.night = n.night) end`
const edge = (which: 'min' | 'max') => sql`(select ${edgeOf(which)} from ${NEWEST} n)`
const FIRST = edge('min')
const LAST = edge('max')
/** Loads between the edges that stand alone: history, or from a time before nights were noted. There are hardly any. */
const APART = sql`array(select l.id from loads l where l.state = 'published' and l.night is null and l.id > ${FIRST} and l.id < ${LAST} order by l.id)`

/**
 * Whether a load is one of those that New and Updated speak of (D3): the loads of the newest one's night, or that one alone (decision 0059). Two borders
 * and hardly any exceptions, since a night may have a thousand loads: an array of them would be searched for each row. Null for null.
 */
export const inLatestLoads = (load: Sql): Sql =>
  sql`(${load} between ${FIRST} and ${LAST} and ${load} <> all (${APART}))`

/** The same as text, for who keeps it or compares it: borders and exceptions; null while nothing is published. `offset 0`: each border is looked for once. */
export const LATEST_LOADS = sql`(
  select concat_ws(' ', e.first, e.last, nullif(array_to_string(array(
    select l.id from loads l where l.state = 'published' and l.night is null and l.id > e.first and l.id < e.last order by l.id), ' '), ''))
  from (select ${edgeOf('min')} as first, ${edgeOf('max')} as last from ${NEWEST} n offset 0) e)`

/** `inLatestLoads` by a text that was read, for a statement that also reads `LATEST_LOADS` and sees that it is still the same: nothing is looked for. */
export function inLoadsRead(latest: string | null): (load: Sql) => Sql {
  const [first, last, ...others] = latest?.split(' ') ?? []
  return (load) =>
    sql`(${load} between ${first ?? null}::bigint and ${last ?? null}::bigint and ${load} <> all (${others}::bigint[]))`
}

/** Reads `LATEST_LOADS`: whether a load is one of them. */
export function readLatestLoads(latest: string | null): (load: number) => boolean {
  if (latest === null) return () => false
  const [first, last, ...others] = latest.split(' ').map(Number)
  const apart = new Set(others)
  return (load) => load >= first! && load <= last! && !apart.has(load)
}
