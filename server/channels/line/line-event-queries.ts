import sql from 'sql-template-tag'
import { z } from 'zod/mini'
import type { Db } from '#server/platform/engine/db.ts'
import { enqueueJobs } from '#server/platform/queue/enqueue-jobs.ts'
import type { JobType } from '#server/platform/queue/job.ts'

/**
 * Payload: LINE's id of an event, whose content is stored encrypted in `line_events`. The job key is a hash of the
 * person or group, so that their events are processed in order.
 */
const payload = z.object({ event: z.string() })
export const LINE_EVENT_JOB_TYPE: JobType<z.output<typeof payload>> = { kind: 'line_event', payload }

export type ReceivedLineEvent = { readonly id: string; readonly key: string; readonly sealed: string }

const MAX_PENDING_EVENTS = 20_000

/**
 * Stores events not seen before and enqueues their jobs in one transaction. Returns the number of new events, or `full`
 * if the backlog limit is reached.
 */
export async function storeLineEvents(
  db: Db,
  events: readonly ReceivedLineEvent[],
  at: Date,
): Promise<number | 'full'> {
  if (events.length === 0) return 0
  return db.transaction(async (tx) => {
    const [waiting] = await tx.query<{ count: number }>(sql`
      select count(*)::int as count from (select from line_events where done_at is null limit ${MAX_PENDING_EVENTS}::int) w`)
    if (waiting!.count >= MAX_PENDING_EVENTS) return 'full'
    const rows = events.map(({ id, sealed }) => ({ id, sealed }))
    const stored = await tx.query<{ id: string }>(sql`
      insert into line_events (id, received_at, sealed)
      select r.id, ${at.toISOString()}::timestamptz, r.sealed from json_to_recordset(${JSON.stringify(rows)}::json) r (id text, sealed text)
      on conflict (id) do nothing returning id`)
    const fresh = new Set(stored.map(({ id }) => id))
    const jobs = events.flatMap(({ id, key }) => (fresh.delete(id) ? [{ key, payload: { event: id }, at }] : []))
    await enqueueJobs(tx, LINE_EVENT_JOB_TYPE, jobs)
    return jobs.length
  })
}

export async function findLineEvent(db: Db, id: string): Promise<string | undefined> {
  const [row] = await db.query<{ sealed: string | null }>(
    sql`select sealed from line_events where id = ${id} and done_at is null`,
  )
  return row?.sealed ?? undefined
}

/** Deletes the content of a processed or abandoned event but retains its id for deduplication. */
export async function discardLineEventContent(tx: Db, id: string, at: Date): Promise<void> {
  await tx.execute(
    sql`update line_events set done_at = ${at.toISOString()}::timestamptz, sealed = null where id = ${id}`,
  )
}

export async function pruneLineEvents(db: Db, now: Date): Promise<void> {
  const at = now.toISOString()
  await db.execute(sql`delete from line_events where received_at < ${at}::timestamptz - interval '7 days'`)
  await db.execute(sql`delete from line_presses where expires_at < ${at}::timestamptz`)
  await db.execute(sql`delete from line_connects where expires_at < ${at}::timestamptz`)
  await db.execute(sql`delete from line_group_codes where expires_at < ${at}::timestamptz`)
}
