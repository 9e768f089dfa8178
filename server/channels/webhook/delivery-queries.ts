import sql from 'sql-template-tag'
import type { DeadWebhookDeliveryReason } from '#contract/account/webhook.ts'
import { WEBHOOK_JOB_TYPE } from '#server/channels/webhook-event/write-webhook-events.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { cancelJobs } from '#server/platform/queue/enqueue-jobs.ts'
import type { StoredWebhookEvent } from './render-webhook-payload.ts'

export type DueWebhookDelivery = StoredWebhookEvent & {
  readonly id: string
  readonly project_id: string | null
  readonly tries_until: string
  readonly webhookId: number
  readonly organisationId: number
  readonly name: string
  readonly url: string
  readonly secret: string
  readonly old_secret: string | null
  readonly old_secret_until: string | null
  readonly is_off: boolean
  readonly is_paused: boolean
  readonly rests_until: string | null
  readonly has_view: boolean
  readonly view_filter: unknown
}

export async function findDueWebhookDelivery(db: Db, id: string): Promise<DueWebhookDelivery | undefined> {
  const [row] = await db.query<DueWebhookDelivery>(sql`
    select d.id, d.type, d.at, d.data, d.project_id, d.tries_until, w.id as "webhookId", w.organisation_id as "organisationId", w.name, w.url, w.secret,
      w.old_secret, w.old_secret_until, not w.is_on or o.is_disabled as is_off, w.paused_at is not null as is_paused, w.rests_until,
      w.view_id is not null as has_view, f.filter_data as view_filter
    from webhook_deliveries d
    join webhooks w on w.id = d.webhook_id
    join organisations o on o.id = w.organisation_id
    left join saved_filters f on f.user_id = w.view_owner and f.id = w.view_id and f.shared_with = w.organisation_id
    where d.id = ${id} and d.state = 'waiting'`)
  return row
}

export async function deleteWebhookDelivery(tx: Db, id: string): Promise<void> {
  await tx.execute(sql`delete from webhook_deliveries where id = ${id}`)
}

type SettledState =
  | { readonly state: 'delivered'; readonly reason?: undefined }
  | { readonly state: 'dead'; readonly reason: DeadWebhookDeliveryReason }

export async function recordWebhookDeliveryOutcome(
  tx: Db,
  id: string,
  { state, reason }: SettledState,
  at: Date,
): Promise<void> {
  await tx.execute(sql`
    update webhook_deliveries set state = ${state}, reason = ${reason ?? null}, settled_at = ${at.toISOString()}::timestamptz
    where id = ${id} and state = 'waiting'`)
}

export type NewWebhookDeliveryAttempt = {
  readonly at: Date
  readonly status: number | null
  readonly fault: string | null
  readonly ms: number
  readonly answer: string
}

export async function storeWebhookDeliveryAttempt(
  tx: Db,
  { id, organisationId }: Pick<DueWebhookDelivery, 'id' | 'organisationId'>,
  { at, status, fault, ms, answer }: NewWebhookDeliveryAttempt,
): Promise<void> {
  await tx.execute(sql`
    insert into webhook_attempts (organisation_id, delivery_id, at, status, fault, ms, answer)
    values (${organisationId}::int, ${id}, ${at.toISOString()}::timestamptz, ${status}::smallint, ${fault}, ${ms}::int, ${answer})`)
  await tx.execute(sql`update webhook_deliveries set attempts = attempts + 1 where id = ${id}`)
}

export type WebhookHealth = {
  readonly failing_since: string | null
  readonly failures: number
  readonly is_paused: boolean
}

export async function lockWebhookHealth(tx: Db, webhookId: number): Promise<WebhookHealth | undefined> {
  const [row] = await tx.query<WebhookHealth>(sql`
    select failing_since, failures, paused_at is not null as is_paused from webhooks where id = ${webhookId}::int for no key update`)
  return row
}

type NextHealth = {
  readonly failingSince: Date | null
  readonly failures: number
  readonly restsUntil: Date | null
}

export async function saveWebhookHealth(
  tx: Db,
  webhookId: number,
  { failingSince, failures, restsUntil }: NextHealth,
): Promise<void> {
  await tx.execute(sql`
    update webhooks set failing_since = ${failingSince?.toISOString() ?? null}::timestamptz, failures = ${failures}::int,
      rests_until = ${restsUntil?.toISOString() ?? null}::timestamptz where id = ${webhookId}::int`)
}

/** Pauses a webhook. Waiting deliveries are marked dead and can be resent manually. */
export async function pauseWebhook(tx: Db, webhookId: number, reason: 'gone' | 'failing', at: Date): Promise<void> {
  await tx.execute(sql`
    update webhooks set paused_at = ${at.toISOString()}::timestamptz, pause_reason = ${reason} where id = ${webhookId}::int`)
  await tx.execute(sql`
    update webhook_deliveries set state = 'dead', reason = ${reason === 'gone' ? 'gone' : 'paused'}, settled_at = ${at.toISOString()}::timestamptz
    where webhook_id = ${webhookId}::int and state = 'waiting'`)
  await cancelJobs(tx, WEBHOOK_JOB_TYPE, String(webhookId), at)
}

export async function pruneWebhookDeliveries(db: Db, before: Date): Promise<void> {
  const limit = 5_000
  for (;;) {
    const deleted = await db.execute(sql`
      delete from webhook_deliveries where id in (
        select id from webhook_deliveries where at < ${before.toISOString()}::timestamptz and state <> 'waiting' order by at limit ${limit}::int)`)
    if (deleted < limit) return
  }
}
