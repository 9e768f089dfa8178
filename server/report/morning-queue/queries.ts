import sql from 'sql-template-tag'
import type { MorningQueueDecisions, MorningQueueDecisionsResponse } from '#contract/report/morning-queue.ts'
import { addDays } from '#contract/thai/thai-date.ts'
import type { Db } from '#server/platform/engine/db.ts'

/**
 * Days to keep decisions. Older ones have no effect: a load stays the latest for a day, and deadlines are near for a
 * week.
 */
const RETENTION_DAYS = 30

type DecisionScope = { readonly userId: number; readonly organisationId: number; readonly today: string }

/**
 * Stores a user's decisions about projects of their report. Silently skips other projects and unpublished loads (R24).
 * Uses a single statement, so that concurrent calls from two devices end in one row.
 */
export async function storeMorningQueueDecisions(
  db: Db,
  { load_id, project_ids }: Pick<MorningQueueDecisions, 'load_id' | 'project_ids'>,
  { userId, organisationId, today }: DecisionScope,
): Promise<void> {
  await db.execute(sql`
    insert into queue_decisions (user_id, project_id, load_id, decided_on)
    select distinct ${userId}::int, m.project_id, l.id, ${today}::date
    from loads l
    join project_matches m on m.organisation_id = ${organisationId}::int and m.project_id = any (${[...project_ids]}::text[])
    where l.id = ${load_id}::bigint and l.state = 'published'
    on conflict (user_id, project_id, load_id) do update set decided_on = excluded.decided_on`)
  await db.execute(sql`
    delete from queue_decisions where user_id = ${userId}::int and decided_on < ${addDays(today, -RETENTION_DAYS)}::date`)
}

export async function deleteMorningQueueDecisions(
  db: Db,
  { load_id, project_ids }: Pick<MorningQueueDecisions, 'load_id' | 'project_ids'>,
  { userId }: Pick<DecisionScope, 'userId'>,
): Promise<void> {
  await db.execute(sql`
    delete from queue_decisions
    where user_id = ${userId}::int and load_id = ${load_id}::bigint and project_id = any (${[...project_ids]}::text[])`)
}

export async function findLatestMorningQueueDataLoad(db: Db): Promise<MorningQueueDecisionsResponse> {
  const [load] = await db.query<{ load_id: number; data_time: string }>(sql`
    select l.id as load_id, l.published_at as data_time from loads l where l.state = 'published' and not l.is_history
    order by l.published_at desc nulls last, l.id desc limit 1`)
  return load
    ? { load_id: load.load_id, data_time: toIsoTimestamp(load.data_time) }
    : { load_id: null, data_time: null }
}

export function toIsoTimestamp(text: string | null): string | null {
  return text === null ? null : new Date(text).toISOString()
}
