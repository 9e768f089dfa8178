import sql from 'sql-template-tag'
import type { Db } from '#server/platform/engine/db.ts'
import { MAIL_JOB_TYPE } from '#server/platform/route/outgoing-mail.ts'
import { mailIsResendableSql } from './admin-job-queries.ts'

export type ItemsNeedingAttentionCounts = {
  failedSources: number
  failedLoads: number
  unreadableRows: number
  deadJobs: number
  failedMails: number
  pausedWebhooks: number
  waitingKeywords: number
  undoneFacts: number
}

/**
 * Counts items that an operator should act on. Failures that can no longer be repaired count for one day, so that they
 * are noticed.
 */
export async function countItemsNeedingAttention(
  db: Db,
  restartable: readonly string[],
  now: Date,
): Promise<ItemsNeedingAttentionCounts> {
  const aDayAgo = sql`${now.toISOString()}::timestamptz - interval '1 day'`
  const [counts] = await db.query<ItemsNeedingAttentionCounts>(sql`
    select
      (select count(*) from intake_sources s where s.is_on and (s.halted_at is not null or (
        select n.outcome from intake_nights n where n.source = s.source order by n.night desc limit 1
      ) in ('refused', 'closed', 'halted'))) as "failedSources",
      (select count(*) from loads where state = 'failed' and started_at > ${aDayAgo}) as "failedLoads",
      (select coalesce(sum(quarantined_rows), 0) from loads where state = 'published' and started_at > ${aDayAgo})::int as "unreadableRows",
      (select count(*) from jobs where state = 'dead' and kind <> ${MAIL_JOB_TYPE.kind}
        and (kind = any (${[...restartable]}::text[]) or finished_at > ${aDayAgo})) as "deadJobs",
      (select count(*) from mails m where m.state = 'failed' and (${mailIsResendableSql(now)} or m.settled_at > ${aDayAgo})) as "failedMails",
      (select count(*) from webhooks where paused_at > ${aDayAgo}) as "pausedWebhooks",
      (select count(*) from keywords where not approved) as "waitingKeywords",
      (select count(*) from fact_switches where not is_on and switched_by = 'unsure') as "undoneFacts"`)
  return counts!
}
