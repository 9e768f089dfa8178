import sql from 'sql-template-tag'
import type { DataIssueKind } from '#contract/catalogue/data-issue.ts'
import type { Db } from '#server/platform/engine/db.ts'
import type { FeedRecord } from './feed-source.ts'
import { redactPersonalData } from './person/redact-personal-data.ts'

export type DataIssueCounts = { readonly [kind in DataIssueKind]?: number }

export type QuarantinedRow = { readonly line: number; readonly reason: string; readonly raw: string }

export async function listQuarantinedRows(
  db: Db,
  loadId: number,
  after: number,
  limit: number,
): Promise<QuarantinedRow[]> {
  return await db.query<QuarantinedRow>(sql`
    select line, reason, raw from quarantined_rows where load_id = ${loadId} and line > ${after} order by line limit ${limit}`)
}

export type StagingDataLoadState = {
  readonly loadId: number
  readonly read: number
  readonly staged: number
  readonly quarantined: number
  readonly lastLine: number
  readonly nextChunk: number
  readonly doubts: DataIssueCounts
}

export async function findStagingDataLoad(db: Db, fingerprint: string): Promise<StagingDataLoadState | undefined> {
  const rows = await db.query<StagingDataLoadState>(sql`
    select l.id as "loadId", l.read_rows as "read", l.staged_rows as staged, l.quarantined_rows as quarantined, l.doubts,
      coalesce(max(c.last_line), 0) as "lastLine", coalesce(max(c.chunk) + 1, 0) as "nextChunk"
    from loads l left join staged_chunks c on c.load_id = l.id
    where l.state = 'staging' and l.fingerprint = ${fingerprint}
    group by l.id order by l.id desc limit 1`)
  return rows[0]
}

export type PublishedDataLoadCounts = {
  readonly loadId: number
  readonly read: number
  readonly staged: number
  readonly quarantined: number
  readonly newProjects: number
  readonly updatedProjects: number
  readonly unchangedProjects: number
  readonly doubts: DataIssueCounts
}

export async function findPublishedDataLoadCounts(
  db: Db,
  fingerprint: string,
): Promise<PublishedDataLoadCounts | undefined> {
  const [load] = await db.query<PublishedDataLoadCounts>(sql`
    select id as "loadId", read_rows as "read", staged_rows as staged, quarantined_rows as quarantined, new_projects as "newProjects",
      updated_projects as "updatedProjects", unchanged_projects as "unchangedProjects", doubts
    from loads where fingerprint = ${fingerprint} and state = 'published' order by id desc limit 1`)
  return load
}

/** Opens a load and abandons any half-staged load of the same origin with other content. */
export async function beginDataLoad(
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

export type DataLoadChunk = {
  readonly chunk: number
  readonly lastLine: number
  readonly records: readonly string[]
  readonly quarantined: readonly { readonly line: number; readonly reason: string; readonly raw: string }[]
}

/**
 * Writes one chunk and its counters in a single statement, so a crash leaves all or nothing. `doubts` are the load's
 * totals including this chunk.
 */
export async function insertDataLoadChunk(
  db: Db,
  loadId: number,
  chunk: DataLoadChunk,
  doubts: DataIssueCounts,
): Promise<void> {
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

export async function insertQuarantinedRows(tx: Db, loadId: number, rows: readonly QuarantinedRow[]): Promise<void> {
  if (rows.length === 0) return
  await tx.execute(sql`
    insert into quarantined_rows (load_id, line, reason, raw)
    select ${loadId}::bigint, q.line, q.reason, q.raw
    from json_to_recordset(${JSON.stringify(rows)}::text::json) as q (line int, reason text, raw text)`)
}

/** Marks the load as failed for good: staged rows are deleted, quarantined rows stay readable. */
export async function markDataLoadFailed(db: Db, loadId: number, failure: string): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute(sql`delete from staged_chunks where load_id = ${loadId}`)
    await tx.execute(sql`update loads set state = 'failed', failure = ${failure} where id = ${loadId}`)
  })
}

export type LockedDataLoad = { readonly source: string; readonly state: string; readonly stagedRows: number }

export async function lockDataLoad(tx: Db, loadId: number): Promise<LockedDataLoad | undefined> {
  const rows = await tx.query<LockedDataLoad>(sql`
    select source, state, staged_rows as "stagedRows" from loads where id = ${loadId} for update`)
  return rows[0]
}

/**
 * Returns the records of chunks `from` to before `to`, in order. Redacts ids of people again, because a previous
 * version may have staged the chunks with ids in clear.
 */
export async function readDataLoadChunks(tx: Db, loadId: number, from: number, to: number): Promise<FeedRecord[]> {
  const rows = await tx.query<{ records: FeedRecord[] }>(sql`
    select records from staged_chunks
    where load_id = ${loadId} and chunk >= ${from}::int and chunk < ${to}::int order by chunk`)
  return rows.flatMap((row) => row.records.map(redactPersonalData))
}

export async function countDataLoadChunks(tx: Db, loadId: number): Promise<number> {
  const rows = await tx.query<{ chunks: number }>(sql`
    select coalesce(max(chunk) + 1, 0) as chunks from staged_chunks where load_id = ${loadId}`)
  return rows[0]!.chunks
}

export type PublishedProjectCounts = {
  readonly newProjects: number
  readonly updatedProjects: number
  readonly unchangedProjects: number
}

export type DataLoadOutcome = {
  /**
   * Bangkok date of the evening on which the nightly run started. The filter New counts all loads of the run as one.
   * Undefined for a separate load.
   */
  readonly night: string | undefined
  readonly isHistory: boolean
  /** Today in Bangkok if date-dependent state of all projects was updated, else undefined. */
  readonly day: string | undefined
  readonly readCounts:
    | { readonly read: number; readonly staged: number; readonly quarantined: number; readonly doubts: DataIssueCounts }
    | undefined
  readonly refused: number
}

/**
 * Closes a load. It joins its nightly run unless a load of another run lies in between (interrupted for days, or the
 * clock was set back). In that case it stays separate, because the loads of a run are identified by the first and last
 * one.
 */
export async function finishDataLoad(
  tx: Db,
  loadId: number,
  counts: PublishedProjectCounts,
  { night, isHistory, day, readCounts, refused }: DataLoadOutcome,
): Promise<void> {
  if (readCounts)
    await tx.execute(sql`
      update loads set read_rows = ${readCounts.read}::int, staged_rows = ${readCounts.staged}::int, quarantined_rows = ${readCounts.quarantined}::int,
        doubts = ${JSON.stringify(readCounts.doubts)}::jsonb where id = ${loadId}`)
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

export async function hasPublishedDataLoadForDay(tx: Db, day: string): Promise<boolean> {
  return (await tx.query(sql`select from loads where state = 'published' and day = ${day}::date limit 1`)).length > 0
}

export async function countNightlyRunChanges(db: Db, night: string): Promise<number> {
  const [row] = await db.query<{ n: number }>(sql`
    select coalesce(sum(new_projects + updated_projects), 0)::int as n from loads where state = 'published' and night = ${night}::date`)
  return row!.n
}

/** Projects without movement for this long count as history, because late sources are late by weeks, not months. */
const HISTORY_DAYS = 120

export async function isHistoricalDataLoad(tx: Db, loadId: number, today: string): Promise<boolean> {
  const recent = await tx.query(sql`
    select from projects p where p.written_load = ${loadId}
      and coalesce(greatest(p.movement_on, p.submission_ends_on, p.bidding_invited_on), ${today}::date) >= ${today}::date - ${HISTORY_DAYS}::int limit 1`)
  return recent.length === 0
}

export async function findAbandonedDataLoads(db: Db): Promise<number[]> {
  const rows = await db.query<{ id: number }>(sql`
    select id from loads where state = 'staging' and started_at < now() - interval '7 days' order by id`)
  return rows.map(({ id }) => id)
}

export type LastDataLoad = { readonly publishedAt: string; readonly seconds: number }

export async function readLastDataLoad(db: Db): Promise<LastDataLoad | undefined> {
  const [lastLoad] = await db.query<LastDataLoad>(
    sql`
      select published_at as "publishedAt", extract(epoch from published_at - started_at)::float8 as seconds
      from loads where state = 'published' order by published_at desc nulls last, id desc limit 1`,
    { timeoutMs: 1_000 },
  )
  return lastLoad
}
