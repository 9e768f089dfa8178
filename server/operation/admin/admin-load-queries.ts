import sql, { type Sql } from 'sql-template-tag'
import type { DataIssueKind } from '#contract/catalogue/data-issue.ts'
import type { Db } from '#server/platform/engine/db.ts'

export type AdminDataLoadRow = {
  id: number
  loads: number
  night: string | null
  source: string
  origin: string
  state: 'staging' | 'publishing' | 'published' | 'failed'
  startedAt: string
  publishedAt: string | null
  read: number
  quarantined: number
  newProjects: number
  updatedProjects: number
  doubts: { kind: DataIssueKind; count: number }[]
  failure: string | null
}

const sumOfDoubts = (loads: Sql) => sql`(
  select coalesce(json_agg(json_build_object('kind', d.kind, 'count', d.n) order by d.n desc, d.kind), '[]')
  from (select e.key as kind, sum(e.value::int)::int as n from loads o, jsonb_each_text(o.doubts) e where ${loads} group by e.key) d)`

const MAX_LOADS = 50
/** Number of newest load ids to search: about twelve nightly runs of the feed with all their small loads. */
const SEARCHED_IDS = 20_000
const MAX_NIGHT_LOADS = 200

/**
 * Returns the latest loads, newest first. Feed loads of one nightly run, up to 1,600, are grouped in one line; failed
 * loads are listed individually.
 */
export async function listDataLoads(db: Db): Promise<AdminDataLoadRow[]> {
  return await db.query<AdminDataLoadRow>(sql`
    with last as (
      select *, case when state = 'published' and source = 'egp-rss' then night end as shared
      from loads where id > (select max(id) from loads) - ${SEARCHED_IDS}::int
    )
    select max(id)::int as id, count(*)::int as loads, case when count(*) > 1 then shared end as night, source, origin, state,
      min(started_at) as "startedAt", max(published_at) as "publishedAt", sum(read_rows)::int as read, sum(quarantined_rows)::int as quarantined,
      sum(new_projects)::int as "newProjects", sum(updated_projects)::int as "updatedProjects", max(failure) as failure,
      ${sumOfDoubts(sql`o.id = any (array_agg(last.id))`)} as doubts
    from last group by source, origin, state, shared, case when shared is null then id end order by max(id) desc limit ${MAX_LOADS}::int`)
}

export async function listNightlyRunDataLoads(db: Db, night: string): Promise<AdminDataLoadRow[]> {
  return await db.query<AdminDataLoadRow>(sql`
    select id::int, 1 as loads, null as night, source, origin, state, started_at as "startedAt", published_at as "publishedAt", read_rows as read,
      quarantined_rows as quarantined, new_projects as "newProjects", updated_projects as "updatedProjects", failure,
      ${sumOfDoubts(sql`o.id = l.id`)} as doubts
    from loads l where state = 'published' and source = 'egp-rss' and night = ${night}::date
    order by quarantined_rows > 0 desc, id desc limit ${MAX_NIGHT_LOADS}::int`)
}

export type UnreadableSourceRow = { line: number; reason: string; raw: string }

const MAX_BAD_ROWS = 100
/** Maximum characters returned of a row, because a row of a broken file may be a megabyte long. */
const MAX_RAW_LENGTH = 300

export async function listUnreadableSourceRows(db: Db, loadId: number): Promise<UnreadableSourceRow[]> {
  return await db.query<UnreadableSourceRow>(sql`
    select line, reason, left(raw, ${MAX_RAW_LENGTH}::int) as raw from quarantined_rows where load_id = ${loadId}::int
    order by line limit ${MAX_BAD_ROWS}::int`)
}
