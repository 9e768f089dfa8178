import { z } from 'zod/mini'
import { RETRY_DAYS, TEST_EVENT } from '#contract/account/webhook.ts'
import { addDays, bangkokToday } from '#contract/thai/thai-date.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { enqueueAll } from '#server/platform/queue/enqueue.ts'
import type { JobType } from '#server/platform/queue/job.ts'
import {
  hasWebhooksOfProjects,
  insertLoadEvents,
  insertStageEvents,
  insertTestEvent,
  type MovedStage,
  type WrittenDelivery,
} from './queries.ts'

const payload = z.object({ delivery: z.string() })
/** One delivery, under the key of its webhook: a target is sent one thing at a time, and a slow one holds up nobody but itself. */
export const WEBHOOK_JOB: JobType<z.output<typeof payload>> = { kind: 'webhook', payload }

const DAY_MS = 86_400_000
/** Until when a delivery of this moment is tried. */
export const triesUntil = (at: Date): Date => new Date(at.getTime() + RETRY_DAYS * DAY_MS)

/** A project that comes with a winner of long ago is history, and news for nobody. */
const WINNER_DAYS = 7

/**
 * Writes down what a load brought for webhooks, in the transaction that publishes it and after its matching: a load that is killed tells nothing, one that is
 * run again tells each thing once (R52). Answers how many deliveries that made.
 */
export async function writeLoadEvents(tx: Db, loadId: number, at: Date): Promise<number> {
  if (!(await hasWebhooksOfProjects(tx))) return 0
  const wonSince = addDays(bangkokToday(at), -WINNER_DAYS)
  const written = await insertLoadEvents(tx, { loadId, at, until: triesUntil(at), wonSince })
  await askToSend(tx, written, at)
  return written.length
}

/** Writes down that a pursuit began, moved to another stage or was taken away, in the transaction that moves it. A request may, as its tenant. */
export async function writeStageEvents(tx: Db, moved: MovedStage): Promise<void> {
  if (moved.before?.id === moved.after?.id) return
  await askToSend(tx, await insertStageEvents(tx, { ...moved, until: triesUntil(moved.at) }), moved.at)
}

/** Writes a test for one webhook and answers its id. */
export async function writeTestEvent(
  tx: Db,
  { organisationId, webhookId, at }: { readonly organisationId: number; readonly webhookId: number; readonly at: Date },
): Promise<string> {
  const id = await insertTestEvent(tx, { organisationId, webhookId, at, type: TEST_EVENT })
  await askToSend(tx, [{ id, webhookId, organisationId, isWaiting: true }], at)
  return id
}

/** Asks for the job of each delivery that waits. */
export async function askToSend(tx: Db, deliveries: readonly WrittenDelivery[], at: Date): Promise<void> {
  await enqueueAll(
    tx,
    WEBHOOK_JOB,
    deliveries
      .filter(({ isWaiting }) => isWaiting)
      .map(({ id, webhookId, organisationId }) => {
        // Asked for again while it waits, it is the same job.
        return { key: String(webhookId), dedupeKey: id, payload: { delivery: id }, organisationId, at }
      }),
  )
}
