import sql, { empty } from 'sql-template-tag'
import type { WebhookDelivery, WebhookDeliveryAttempt, WebhookDeliveryState } from '#contract/account/webhook.ts'
import type { StoredWebhookDelivery } from '#server/channels/webhook-event/queries.ts'
import type { Db } from '#server/platform/engine/db.ts'
import type { StoredWebhookEvent } from './render-webhook-payload.ts'

/** A delivery as shown in the log. Timestamps are in database format. */
export type LoggedWebhookDelivery = WebhookDelivery & Pick<StoredWebhookEvent, 'data'>

type WebhookRef = { readonly organisationId: number; readonly webhookId: number }

export type WebhookDeliveryLogPage = {
  readonly state?: WebhookDeliveryState | undefined
  readonly before?: { readonly at: string; readonly id: string } | undefined
  readonly id?: string | undefined
  readonly limit: number
}

export async function listWebhookDeliveries(
  db: Db,
  { organisationId, webhookId }: WebhookRef,
  { state, before, id, limit }: WebhookDeliveryLogPage,
): Promise<LoggedWebhookDelivery[]> {
  return await db.query<LoggedWebhookDelivery>(sql`
    select d.id, d.type, d.project_id, d.at, d.data, d.state, d.reason, d.attempts,
      case when d.state = 'waiting' then (
        select min(greatest(j.run_at, d.at)) from jobs j
        where j.kind = 'webhook' and j.key = d.webhook_id::text and j.payload ->> 'delivery' = d.id and j.state in ('waiting', 'running')
      ) end as next_at,
      (select jsonb_build_object('at', a.at, 'status', a.status, 'fault', a.fault, 'ms', a.ms)
        from webhook_attempts a where a.delivery_id = d.id order by a.id desc limit 1) as last
    from webhook_deliveries d
    where d.webhook_id = ${webhookId}::int and d.organisation_id = ${organisationId}::int
      ${state === undefined ? empty : sql`and d.state = ${state}`}
      ${id === undefined ? empty : sql`and d.id = ${id}`}
      ${before === undefined ? empty : sql`and (d.at, d.id) < (${before.at}::timestamptz, ${before.id})`}
    order by d.at desc, d.id desc limit ${limit}::int`)
}

export async function listWebhookDeliveryAttempts(
  db: Db,
  organisationId: number,
  id: string,
): Promise<WebhookDeliveryAttempt[]> {
  return await db.query<WebhookDeliveryAttempt>(sql`
    select at, status, fault, ms, answer from webhook_attempts
    where delivery_id = ${id} and organisation_id = ${organisationId}::int order by id desc limit 100`)
}

type RetryPeriod = { readonly at: Date; readonly until: Date }
const RETURNING = sql`returning id, webhook_id as "webhookId", organisation_id as "organisationId", true as "isWaiting"`

/**
 * Requeues a delivered or dead delivery with the same id and a new three-day period. Undefined if the delivery does not
 * exist or is still waiting. Call as superuser.
 */
export async function requeueWebhookDelivery(
  tx: Db,
  { organisationId, webhookId }: WebhookRef,
  id: string,
  { until }: RetryPeriod,
): Promise<StoredWebhookDelivery | undefined> {
  const [revived] = await tx.query<StoredWebhookDelivery>(sql`
    update webhook_deliveries set state = 'waiting', reason = null, settled_at = null, tries_until = ${until.toISOString()}::timestamptz
    where id = ${id} and webhook_id = ${webhookId}::int and organisation_id = ${organisationId}::int and state <> 'waiting' and type <> 'webhook.test'
    ${RETURNING}`)
  return revived
}

export async function requeueDeadWebhookDeliveries(
  tx: Db,
  { organisationId, webhookId }: WebhookRef,
  since: Date,
  { until, maxCount }: RetryPeriod & { readonly maxCount: number },
): Promise<StoredWebhookDelivery[]> {
  return await tx.query<StoredWebhookDelivery>(sql`
    update webhook_deliveries set state = 'waiting', reason = null, settled_at = null, tries_until = ${until.toISOString()}::timestamptz
    where id in (
      select d.id from webhook_deliveries d
      where d.webhook_id = ${webhookId}::int and d.organisation_id = ${organisationId}::int and d.state = 'dead' and d.type <> 'webhook.test'
        and d.at >= ${since.toISOString()}::timestamptz
      order by d.at, d.id limit ${maxCount}::int)
    ${RETURNING}`)
}
