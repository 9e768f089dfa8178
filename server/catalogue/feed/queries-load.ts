import sql from 'sql-template-tag'
import type { DoubtKind } from '#contract/catalogue/doubt.ts'
import type { Db } from '#server/platform/engine/db.ts'
import type { FeedRecord } from './feed-source.ts'
import { hidePeople } from './person/hide-people.ts'

/** How many doubts of each kind a load has. */
export type DoubtCounts = { readonly [kind in DoubtKind]?: number }

export type QuarantinedRow = { readonly line: number; readonly reason: string; readonly raw: string }

/** The next rejected rows of a load behind line `after`, in the order of the file. */
export async function findQuarantined(db: Db, loadId: number, after: number, limit: number): Promise<QuarantinedRow[]> {
  return await db.query<QuarantinedRow>(sql`
    select line, reason, raw from quarantined_rows where load_id = ${loadId} and line > ${after} order by line limit ${limit}`)
}

/** Statements on `loads`, `staged_chunks` and `quarantined_rows`. */

export type Staging = {
  readonly loadId: number
  readonly read: number
  readonly staged: number
  readonly quarantined: number
  readonly lastLine: number
  readonly nextChunk: number
  readonly doubts: DoubtCounts
}

/** The load that an interrupted import of the same content left behind. */
export async function findStaging(db: Db, fingerprint: string): Promise<Staging | undefined> {
  const rows = await db.query<Staging>(sql`
    select l.id as "loadId", l.read_rows as "read", l.staged_rows as staged, l.quarantined_rows as quarantined, l.doubts,
      coalesce(max(c.last_line), 0) as "lastLine", coalesce(max(c.chunk) + 1, 0) as "nextChunk"
    from loads l left join staged_chunks c on c.load_id = l.id
    where l.state = 'staging' and l.fingerprint = ${fingerprint}
    group by l.id order by l.id desc limit 1`)
  return rows[0]
}

/** Counts of a load that is published, as the report of it had them. */
export type PublishedCounts = {
  readonly loadId: number
  readonly read: number
  readonly staged: number
  readonly quarantined: number
  readonly newProjects: number
  readonly updatedProjects: number
  readonly unchangedProjects: number
  readonly doubts: DoubtCounts
}

/** The published load of this very content; undefined when there is none. */
export async function findPublished(db: Db, fingerprint: string): Promise<PublishedCounts | undefined> {
  const [load] = await db.query<PublishedCounts>(sql`
    select id as "loadId", read_rows as "read", staged_rows as staged, quarantined_rows as quarantined, new_projects as "newProjects",
      updated_projects as "updatedProjects", unchanged_projects as "unchangedProjects", doubts
    from loads where fingerprint = ${fingerprint} and state = 'published' order by id desc limit 1`)
  return load
}

/** Opens a load; what another content of the same origin left half staged is given up. */
export async function openLoad(
  db: Db,
  load: { readonly source: string; readonly origin: string; readonly fingerprint: string },
): Promise<number> {
  return db.transaction(async (tx) => {
    const abandoned = sql`select id from loads where state = 'staging' and source = ${load.source} and origin = ${load.origin}`
    await tx.execute(sql`delete from staged_chunks where load_id in (${abandoned})`)
    await tx.execute(
      sql`update loads set state = 'failed', failure = 'เริ่มนำเข้าใหม่จากเนื้อหาอื่น' where id in (${abandoned})`,
    )
    const rows = await tx.query<{ id: number }>(sql`
      insert into loads (source, origin, fingerprint, state)
      values (${load.source}, ${load.origin}, ${load.fingerprint}, 'staging') returning id`)
    return rows[0]!.id
  })
}

export type Chunk = {
  readonly chunk: number
  /** Last line that this chunk answers for, quarantined rows included. */
  readonly lastLine: number
  /** JSON texts of the records. */
  readonly records: readonly string[]
  readonly quarantined: readonly { readonly line: number; readonly reason: string; readonly raw: string }[]
}

/** `doubts`: of the load with this chunk. Writes one chunk and the counters that go with it, in one statement: after a crash either all of it is there or nothing. */
export async function insertChunk(db: Db, loadId: number, chunk: Chunk, doubts: DoubtCounts): Promise<void> {
  await db.execute(sql`
    with staged as (
      insert into staged_chunks (load_id, chunk, last_line, records)
      values (${loadId}, ${chunk.chunk}, ${chunk.lastLine}, ${`[${chunk.records.join(',')}]`}::text::json)
    ), rejected as (
      insert into quarantined_rows (load_id, line, reason, raw)
      select ${loadId}::bigint, q.line, q.reason, q.raw
      from json_to_recordset(${JSON.stringify(chunk.quarantined)}::text::json) as q (line int, reason text, raw text)
    )
    update loads set read_rows = read_rows + ${chunk.records.length + chunk.quarantined.length}::int,
      staged_rows = staged_rows + ${chunk.records.length}::int,
      quarantined_rows = quarantined_rows + ${chunk.quarantined.length}::int, doubts = ${JSON.stringify(doubts)}::jsonb
    where id = ${loadId}`)
}

/** Keeps rows that were rejected while their load is being published; with it they come or go. */
export async function insertQuarantined(tx: Db, loadId: number, rows: readonly QuarantinedRow[]): Promise<void> {
  if (rows.length === 0) return
  await tx.execute(sql`
    insert into quarantined_rows (load_id, line, reason, raw)
    select ${loadId}::bigint, q.line, q.reason, q.raw
    from json_to_recordset(${JSON.stringify(rows)}::text::json) as q (line int, reason text, raw text)`)
}

/** The load can never be published: what it staged goes, what it quarantined stays readable. */
export async function failLoad(db: Db, loadId: number, failure: string): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute(sql`delete from staged_chunks where load_id = ${loadId}`)
    await tx.execute(sql`update loads set state = 'failed', failure = ${failure} where id = ${loadId}`)
  })
}

export type LoadHeader = { readonly source: string; readonly state: string; readonly stagedRows: number }

/** Locks the load, so that two processes cannot publish it at once. */
export async function lockLoad(tx: Db, loadId: number): Promise<LoadHeader | undefined> {
  const rows = await tx.query<LoadHeader>(sql`
    select source, state, staged_rows as "stagedRows" from loads where id = ${loadId} for update`)
  return rows[0]
}

/** Records of the chunks from `from` to before `to`, in order. The version before may have staged them, with ids of people. */
export async function readChunks(tx: Db, loadId: number, from: number, to: number): Promise<FeedRecord[]> {
  const rows = await tx.query<{ records: FeedRecord[] }>(sql`
    select records from staged_chunks
    where load_id = ${loadId} and chunk >= ${from}::int and chunk < ${to}::int order by chunk`)
  return rows.flatMap((row) => row.records.map(hidePeople))
}

export async function countChunks(tx: Db, loadId: number): Promise<number> {
  const rows = await tx.query<{ chunks: number }>(sql`
    select coalesce(max(chunk) + 1, 0) as chunks from staged_chunks where load_id = ${loadId}`)
  return rows[0]!.chunks
}

export type PublishCounts = {
  readonly newProjects: number
  readonly updatedProjects: number
  readonly unchangedProjects: number
}

/** What New, the memory and the next load have to know of a load. */
export type LoadPlace = {
  /** The Bangkok day of the evening whose loads New counts as one; undefined: it stands alone. */
  readonly night: string | undefined
  readonly isHistory: boolean
  /** Today in Bangkok when the dates of all projects were looked at, otherwise undefined. */
  readonly day: string | undefined
  /** Rows of a source that was not staged whole; undefined: they stand there already. */
  readonly read:
    | { readonly read: number; readonly staged: number; readonly quarantined: number; readonly doubts: DoubtCounts }
    | undefined
  /** Rows that were staged and turned out to be about no project. */
  readonly refused: number
}

/**
 * A load joins those of its night while no load of another night lies between them: one that was interrupted for days, or a clock set back, makes it stand
 * alone, since the loads of a night are known by the first and the last of them.
 */
export async function closeLoad(
  tx: Db,
  loadId: number,
  counts: PublishCounts,
  { night, isHistory, day, read, refused }: LoadPlace,
): Promise<void> {
  if (read)
    await tx.execute(sql`
      update loads set read_rows = ${read.read}::int, staged_rows = ${read.staged}::int, quarantined_rows = ${read.quarantined}::int,
        doubts = ${JSON.stringify(read.doubts)}::jsonb where id = ${loadId}`)
  if (refused > 0)
    await tx.execute(sql`
      update loads set staged_rows = staged_rows - ${refused}::int, quarantined_rows = quarantined_rows + ${refused}::int where id = ${loadId}`)
  await tx.execute(sql`delete from staged_chunks where load_id = ${loadId}`)
  await tx.execute(sql`
    update loads set state = 'published', published_at = now(), new_projects = ${counts.newProjects}::int,
      updated_projects = ${counts.updatedProjects}::int, unchanged_projects = ${counts.unchangedProjects}::int,
      is_history = ${isHistory}::boolean, day = ${day}::date, wrote_projects = exists (select from projects p where p.written_load = ${loadId}),
      night = case when ${isHistory}::boolean or exists (
        select from loads o where o.state = 'published' and o.night <> ${night}::date and o.id > least(${loadId}::bigint,
          (select min(n.id) from loads n where n.state = 'published' and n.night = ${night}::date))
      ) then null else ${night}::date end
    where id = ${loadId}`)
}

/** Whether a load has worked out what depends on this day for all projects. */
export async function isDayDone(tx: Db, day: string): Promise<boolean> {
  return (await tx.query(sql`select from loads where state = 'published' and day = ${day}::date limit 1`)).length > 0
}

/** How many projects the loads of a night brought or changed. */
export async function countNightChanges(db: Db, night: string): Promise<number> {
  const [row] = await db.query<{ n: number }>(sql`
    select coalesce(sum(new_projects + updated_projects), 0)::int as n from loads where state = 'published' and night = ${night}::date`)
  return row!.n
}

/** Projects that nothing happened to for so long are history: a source that is late is late by weeks. */
const HISTORY_DAYS = 120

/** Whether nothing that this load wrote so far moved, or ends, within the last months: a year that is over, or no change at all. */
export async function isOfHistory(tx: Db, loadId: number, today: string): Promise<boolean> {
  const recent = await tx.query(sql`
    select from projects p where p.written_load = ${loadId}
      and coalesce(greatest(p.movement_on, p.submission_ends_on, p.bidding_invited_on), ${today}::date) >= ${today}::date - ${HISTORY_DAYS}::int limit 1`)
  return recent.length === 0
}

/** Loads that were begun over a week ago and that nobody came back to; what they staged only takes room. */
export async function findAbandonedLoads(db: Db): Promise<number[]> {
  const rows = await db.query<{ id: number }>(sql`
    select id from loads where state = 'staging' and started_at < now() - interval '7 days' order by id`)
  return rows.map(({ id }) => id)
}

export type LastLoad = { readonly publishedAt: string; readonly seconds: number }

/** The newest published load, for who watches the server; undefined while nothing was ever published. */
export async function readLastLoad(db: Db): Promise<LastLoad | undefined> {
  const [lastLoad] = await db.query<LastLoad>(
    sql`
      select published_at as "publishedAt", extract(epoch from published_at - started_at)::float8 as seconds
      from loads where state = 'published' order by published_at desc nulls last, id desc limit 1`,
    { timeoutMs: 1_000 },
  )
  return lastLoad
}
