import sql from 'sql-template-tag'
import type { Db } from '#server/platform/engine/db.ts'

export type WebhookMetrics = {
  readonly webhooks: Readonly<Record<'on' | 'off' | 'paused', number>>
  readonly deliveries: Readonly<Record<'waiting' | 'sent_last_hour' | 'dead_last_day', number>>
  readonly failedTries: number
}

const TIMEOUT_MS = 1_000

export async function readWebhookMetrics(db: Db): Promise<WebhookMetrics> {
  const [row] = await db.query<Record<string, number>>(
    sql`
      select w.*, d.*, (
        select count(*) from webhook_attempts a where a.at > now() - interval '1 hour' and (a.status is null or a.status not between 200 and 299)) as failed
      from (
        select count(*) filter (where is_on and paused_at is null) as "on", count(*) filter (where not is_on) as off,
          count(*) filter (where is_on and paused_at is not null) as paused
        from webhooks) w
      cross join (
        select (select count(*) from webhook_deliveries where state = 'waiting') as waiting,
          (select count(*) from webhook_deliveries where state = 'delivered' and settled_at > now() - interval '1 hour') as sent,
          (select count(*) from webhook_deliveries where state = 'dead' and settled_at > now() - interval '1 day') as dead) d`,
    { timeoutMs: TIMEOUT_MS },
  )
  const { on = 0, off = 0, paused = 0, waiting = 0, sent = 0, dead = 0, failed = 0 } = row!
  return {
    webhooks: { on, off, paused },
    deliveries: { waiting, sent_last_hour: sent, dead_last_day: dead },
    failedTries: failed,
  }
}
