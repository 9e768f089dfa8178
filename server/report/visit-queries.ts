import { setTimeout as sleep } from 'node:timers/promises'
import sql, { type Sql } from 'sql-template-tag'
import { type Db, DbUnavailableError, QueryTimeoutError } from '#server/platform/engine/db.ts'
import { withPrimaryReads } from '#server/platform/engine/replica-reads.ts'
import type { PreviousReportVisit } from './report-queries.ts'

/**
 * Hours after the last opening of the report at which a visit ends: long enough for lunch, but shorter than a night.
 */
const REPORT_VISIT_TIMEOUT_HOURS = 4

const timestamp = (now: Date) => sql`${now.toISOString()}::timestamptz`
/** SQL expression: end of the visit before the current one, even if the current visit has not been recorded yet. */
const previous = (now: Date) => sql`
  case when u.last_seen_at < ${timestamp(now)} - make_interval(hours => ${REPORT_VISIT_TIMEOUT_HOURS}::int) then u.last_seen_at else u.previous_visit_at end`

/**
 * How long the report waits for its visit to be recorded. Without a standby a write can block for seconds and would
 * occupy one of the organisation's request slots.
 */
const MAX_WAIT_MS = 250
const WRITE_TIMEOUT_MS = 1_000
/**
 * Maximum visit writes at a time, because they use pool connections. Beyond it, the user's next request records the
 * visit.
 */
const MAX_CONCURRENT_WRITES = 4
const pendingWrites = new WeakMap<Db, Set<number>>()

const isDue = (now: Date) => sql`(u.last_seen_at is null or u.last_seen_at < ${timestamp(now)} - interval '1 minute')`

type PreviousReportVisitRow = {
  readonly ended_at: string | null
  readonly loads: readonly number[]
  readonly is_due?: boolean | null
}
const columns = (endedAt: Sql) => sql`
  ${endedAt} as ended_at, array(select l.id from loads l where l.state = 'published' and not l.is_history and l.published_at > ${endedAt} order by l.id) as loads`
const toPreviousReportVisit = (row: PreviousReportVisitRow | undefined): PreviousReportVisit | undefined =>
  row?.ended_at ? { endedAt: new Date(row.ended_at).toISOString(), loads: row.loads } : undefined

const previousReportVisitColumnsSql = (now: Date): Sql => sql`${columns(previous(now))}, ${isDue(now)} as is_due`

export async function findPreviousReportVisit(
  db: Db,
  userId: number,
  now: Date,
): Promise<PreviousReportVisit | undefined> {
  return toPreviousReportVisit(await readVisit(db, userId, now))
}

async function readVisit(db: Db, userId: number, now: Date): Promise<PreviousReportVisitRow | undefined> {
  const [row] = await db.query<PreviousReportVisitRow>(
    sql`select ${previousReportVisitColumnsSql(now)} from users u where u.id = ${userId}::int`,
    {
      name: 'report_visit',
    },
  )
  return row
}

/**
 * Returns the previous visit and records the current one, at most once a minute across the user's devices. If two
 * devices start a visit at once, only the first one advances it. A slow or failed write never delays the response,
 * because the result is already known.
 */
export async function recordReportVisit(db: Db, userId: number, now: Date): Promise<PreviousReportVisit | undefined> {
  const currentRow = await readVisit(db, userId, now)
  const notes = pendingWrites.get(db) ?? new Set()
  if (!currentRow?.is_due || notes.has(userId) || notes.size >= MAX_CONCURRENT_WRITES)
    return toPreviousReportVisit(currentRow)
  pendingWrites.set(db, notes.add(userId))
  const noted = storeVisit(db, userId, now).finally(() => notes.delete(userId))
  const timeout = new AbortController()
  // The write may still fail after the timeout, so handle the rejection.
  noted.catch(() => undefined)
  try {
    return (
      (await Promise.race([noted, sleep(MAX_WAIT_MS, undefined, { signal: timeout.signal })])) ??
      toPreviousReportVisit(currentRow)
    )
  } catch (error) {
    if (error instanceof DbUnavailableError || error instanceof QueryTimeoutError)
      return toPreviousReportVisit(currentRow)
    throw error
  } finally {
    timeout.abort()
  }
}

async function storeVisit(db: Db, userId: number, now: Date): Promise<PreviousReportVisit | undefined> {
  const update = sql`
    update users u set previous_visit_at = ${previous(now)}, last_seen_at = ${timestamp(now)}
    where u.id = ${userId}::int and ${isDue(now)}
    returning ${columns(sql`u.previous_visit_at`)}`
  // Only this write uses the primary. Later reads of the same request may still use a replica.
  const [row] = await withPrimaryReads(() => db.query<PreviousReportVisitRow>(update, { timeoutMs: WRITE_TIMEOUT_MS }))
  return row ? toPreviousReportVisit(row) : await findPreviousReportVisit(db, userId, now)
}
