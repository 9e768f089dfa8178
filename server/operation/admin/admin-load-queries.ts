import sql, { type Sql } from 'sql-template-tag'
import type { DoubtKind } from '#contract/catalogue/doubt.ts'
import type { Db } from '#server/platform/engine/db.ts'

export type LoadLine = {
  /** For a group of loads, the newest id. */
  id: number
  loads: number
  /** For a group: the Bangkok day of its evening. */
  night: string | null
  source: string
  origin: string
  state: 'staging' | 'publishing' | 'published' | 'failed'
  /** UTC ISO. */
  startedAt: string
  publishedAt: string | null
  read: number
  quarantined: number
  newProjects: number
  updatedProjects: number
  doubts: { kind: DoubtKind; count: number }[]
  failure: string | null
}

const sumOfDoubts = (loads: Sql) => sql`(
  select coalesce(json_agg(json_build_object('kind', d.kind, 'count', d.n) order by d.n desc, d.kind), '[]')
  from (select e.key as kind, sum(e.value::int)::int as n from loads o, jsonb_each_text(o.doubts) e where ${loads} group by e.key) d)`

const MOST_LOADS = 50
/** Ids searched for the latest loads: some twelve nights of the feed with all their small loads. */
const LOOKED_AT = 20_000
const MOST_OF_NIGHT = 200

/**
 * Returns the latest loads, newest first. Feed loads of one night, up to 1,600, are grouped in one line; failed loads
 * are listed individually.
 */
export async function listLoads(db: Db): Promise<LoadLine[]> {
  return await db.query<LoadLine>(sql`
    with last as (
      select *, case when state = 'published' and source = 'egp-rss' then night end as shared
      from loads where id > (select max(id) from loads) - ${LOOKED_AT}::int
    )
    select max(id)::int as id, count(*)::int as loads, case when count(*) > 1 then shared end as night, source, origin, state,
      min(started_at) as "startedAt", max(published_at) as "publishedAt", sum(read_rows)::int as read, sum(quarantined_rows)::int as quarantined,
      sum(new_projects)::int as "newProjects", sum(updated_projects)::int as "updatedProjects", max(failure) as failure,
      ${sumOfDoubts(sql`o.id = any (array_agg(last.id))`)} as doubts
    from last group by source, origin, state, shared, case when shared is null then id end order by max(id) desc limit ${MOST_LOADS}::int`)
}

/** Returns the feed loads of one night individually: those with unreadable rows first, then the newest. */
export async function listNightLoads(db: Db, night: string): Promise<LoadLine[]> {
  return await db.query<LoadLine>(sql`
    select id::int, 1 as loads, null as night, source, origin, state, started_at as "startedAt", published_at as "publishedAt", read_rows as read,
      quarantined_rows as quarantined, new_projects as "newProjects", updated_projects as "updatedProjects", failure,
      ${sumOfDoubts(sql`o.id = l.id`)} as doubts
    from loads l where state = 'published' and source = 'egp-rss' and night = ${night}::date
    order by quarantined_rows > 0 desc, id desc limit ${MOST_OF_NIGHT}::int`)
}

export type BadRow = { line: number; reason: string; raw: string }

const MOST_ROWS = 100
/** A row of a broken file may be a megabyte long. */
const SHOWN_SIGNS = 300

export async function listBadRows(db: Db, loadId: number): Promise<BadRow[]> {
  return await db.query<BadRow>(sql`
    select line, reason, left(raw, ${SHOWN_SIGNS}::int) as raw from quarantined_rows where load_id = ${loadId}::int
    order by line limit ${MOST_ROWS}::int`)
}
