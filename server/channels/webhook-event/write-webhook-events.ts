import { z } from 'zod/mini'
import { TEST_WEBHOOK_EVENT, WEBHOOK_RETRY_DAYS } from '#contract/account/webhook.ts'
import { addDays, getBangkokToday } from '#contract/thai/thai-date.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { enqueueJobs } from '#server/platform/queue/enqueue-jobs.ts'
import type { JobType } from '#server/platform/queue/job.ts'
import {
  hasProjectWebhooks,
  insertTestWebhookDelivery,
  insertWebhookDeliveriesForLoad,
  insertWebhookDeliveriesForStageChange,
  type PursuitStageChange,
  type StoredWebhookDelivery,
} from './queries.ts'

const payload = z.object({ delivery: z.string() })
/**
 * Job that sends one delivery. The job key is the webhook, so a target gets one request at a time and a slow target
 * delays only its own deliveries.
 */
export const WEBHOOK_JOB_TYPE: JobType<z.output<typeof payload>> = { kind: 'webhook', payload }

const DAY_MS = 86_400_000
export const computeDeliveryRetryEnd = (at: Date): Date => new Date(at.getTime() + WEBHOOK_RETRY_DAYS * DAY_MS)

const WINNER_DAYS = 7

/**
 * Writes a load's webhook events in the publishing transaction, after matching, so that a killed load emits nothing and
 * a repeated one emits each event once (R52). Returns the number of deliveries.
 */
export async function writeWebhookEventsForLoad(tx: Db, loadId: number, at: Date): Promise<number> {
  if (!(await hasProjectWebhooks(tx))) return 0
  const wonSince = addDays(getBangkokToday(at), -WINNER_DAYS)
  const deliveries = await insertWebhookDeliveriesForLoad(tx, {
    loadId,
    at,
    until: computeDeliveryRetryEnd(at),
    wonSince,
  })
  await enqueueWebhookDeliveries(tx, deliveries, at)
  return deliveries.length
}

export async function writeWebhookEventsForStageChange(tx: Db, stageChange: PursuitStageChange): Promise<void> {
  if (stageChange.before?.id === stageChange.after?.id) return
  await enqueueWebhookDeliveries(
    tx,
    await insertWebhookDeliveriesForStageChange(tx, { ...stageChange, until: computeDeliveryRetryEnd(stageChange.at) }),
    stageChange.at,
  )
}

export async function writeTestWebhookEvent(
  tx: Db,
  { organisationId, webhookId, at }: { readonly organisationId: number; readonly webhookId: number; readonly at: Date },
): Promise<string> {
  const id = await insertTestWebhookDelivery(tx, { organisationId, webhookId, at, type: TEST_WEBHOOK_EVENT })
  await enqueueWebhookDeliveries(tx, [{ id, webhookId, organisationId, isWaiting: true }], at)
  return id
}

export async function enqueueWebhookDeliveries(
  tx: Db,
  deliveries: readonly StoredWebhookDelivery[],
  at: Date,
): Promise<void> {
  await enqueueJobs(
    tx,
    WEBHOOK_JOB_TYPE,
    deliveries
      .filter(({ isWaiting }) => isWaiting)
      .map(({ id, webhookId, organisationId }) => {
        return { key: String(webhookId), dedupeKey: id, payload: { delivery: id }, organisationId, at }
      }),
  )
}
