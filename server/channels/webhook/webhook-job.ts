import { TEST_WEBHOOK_EVENT, WEBHOOK_DELIVERY_RETENTION_DAYS, WEBHOOK_RETRY_DAYS } from '#contract/account/webhook.ts'
import { splitSearchByReportTab } from '#contract/report/archived-scope.ts'
import { getBangkokToday } from '#contract/thai/thai-date.ts'
import { WEBHOOK_JOB_TYPE } from '#server/channels/webhook-event/write-webhook-events.ts'
import type { Db } from '#server/platform/engine/db.ts'
import type { TextCipher } from '#server/platform/engine/text-cipher.ts'
import type { OutgoingPostFn, OutgoingPostResult } from '#server/platform/outgoing/outgoing-post.ts'
import {
  computeRetryDelayMs,
  defineJob,
  type JobContext,
  JobFailedError,
  JobPostponedError,
} from '#server/platform/queue/job.ts'
import type { OutgoingMailQueue } from '#server/platform/route/outgoing-mail.ts'
import { createReportEngine } from '#server/report/report-engine.ts'
import { findProjectsPassingSearches } from '#server/report/report-lists.ts'
import { parseStoredFilterSearch } from '#server/report/saved-filter/saved-filter-figures.ts'
import {
  type DueWebhookDelivery,
  deleteWebhookDelivery,
  findDueWebhookDelivery,
  lockWebhookHealth,
  pauseWebhook,
  pruneWebhookDeliveries,
  recordWebhookDeliveryOutcome,
  saveWebhookHealth,
  storeWebhookDeliveryAttempt,
} from './delivery-queries.ts'
import { evaluateWebhookResponse, type WebhookDeliveryVerdict } from './evaluate-webhook-response.ts'
import { notifyWebhookPause } from './notify-webhook-pause.ts'
import { renderWebhookPayload } from './render-webhook-payload.ts'
import { createSignedWebhookHeaders } from './webhook-signature.ts'

export type WebhookJobDependencies = {
  readonly webhooks: {
    readonly post: OutgoingPostFn
    readonly seal: TextCipher
    readonly mails: OutgoingMailQueue
  }
}

const DAY_MS = 86_400_000
/**
 * Backoff of a delivery's attempts: at once, then after 15 s, 30 s, … up to every three hours, about thirty attempts in
 * three days.
 */
const BACKOFF = { firstMs: 15_000, maxMs: 3 * 60 * 60_000 }
/**
 * After a response slower than this the webhook cools down, so that it occupies a slot at most a quarter of the time.
 */
const SLOW_RESPONSE_MS = 3_000
const COOLDOWN_FACTOR = 3

/** No user has this id, so personal stars and labels in a view match nothing, as for an API key. */
const NO_USER_ID = 0

/**
 * Sends one delivery and records the outcome. Delivery is at least once: until the outcome is recorded, it may be sent
 * again with the same id. If the target is down, slow or asks for a delay, the whole webhook cools down and its other
 * deliveries wait without an attempt.
 */
export const webhookJob = defineJob<{ delivery: string }, WebhookJobDependencies>({
  ...WEBHOOK_JOB_TYPE,
  concurrency: 16,
  // Retries end after three days, not after a number of attempts. This limit only guards against a bug of ours.
  maxAttempts: 60,
  backoff: BACKOFF,
  retentionDays: 1,
  async run(context, { delivery: id }) {
    const { db, now, finish } = context
    const due = await findDueWebhookDelivery(db, id)
    if (!due) return undefined
    const isTest = due.type === TEST_WEBHOOK_EVENT
    const obstacle = isTest ? undefined : await findObstacle(db, due, now())
    if (obstacle === undefined) return await send(context, due)
    if (obstacle instanceof Date) throw new JobPostponedError(obstacle)
    return await db.transaction(async (tx) => {
      await finish(tx)
      if (obstacle === 'not of the view') await deleteWebhookDelivery(tx, id)
      else await recordWebhookDeliveryOutcome(tx, id, { state: 'dead', reason: obstacle }, now())
      return { webhook: due.webhookId, left: obstacle }
    })
  },
  died: async (tx, { delivery }, at) =>
    await recordWebhookDeliveryOutcome(tx, delivery, { state: 'dead', reason: 'error' }, at),
  prune: async (db, now) =>
    await pruneWebhookDeliveries(db, new Date(now.getTime() - WEBHOOK_DELIVERY_RETENTION_DAYS * DAY_MS)),
})

async function findObstacle(
  db: Db,
  due: DueWebhookDelivery,
  at: Date,
): Promise<'off' | 'paused' | 'view' | 'not of the view' | Date | undefined> {
  if (due.is_off) return 'off'
  if (due.is_paused) return 'paused'
  const cooldownUntil = due.rests_until === null ? undefined : new Date(due.rests_until)
  if (cooldownUntil && cooldownUntil > at) return cooldownUntil
  if (!due.has_view || due.project_id === null || due.type === 'pursuit.stage') return undefined
  const search = parseStoredFilterSearch(due.view_filter)
  if (!search) return 'view'
  const scope = { organisationId: due.organisationId, userId: NO_USER_ID, today: getBangkokToday(at) }
  const matches = (
    await findProjectsPassingSearches(createReportEngine(db), splitSearchByReportTab(search), scope, [due.project_id])
  ).flat()
  return matches.length > 0 ? undefined : 'not of the view'
}

async function send(context: JobContext<WebhookJobDependencies>, due: DueWebhookDelivery): Promise<object> {
  const { db, parts, now, signal, finish, confirm, attempt } = context
  const { post, seal, mails } = parts.webhooks
  const at = now()
  const isOldGood = due.old_secret_until !== null && new Date(due.old_secret_until) > at
  const secrets = [due.secret, ...(isOldGood && due.old_secret !== null ? [due.old_secret] : [])].flatMap(
    (sealed) => seal.open(sealed) ?? [],
  )
  // The secret is encrypted with a signing secret that was removed. Never send unsigned.
  if (secrets.length === 0) {
    return await db.transaction(async (tx) => {
      await finish(tx)
      await recordWebhookDeliveryOutcome(tx, due.id, { state: 'dead', reason: 'error' }, at)
      return { webhook: due.webhookId, left: 'error' }
    })
  }
  const body = renderWebhookPayload(due, mails.link)
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'user-agent': `tamngan/1.0 (+${mails.link('/')})`,
    ...createSignedWebhookHeaders({ id: due.id, body, at }, secrets),
  }
  const posted = await post(new URL(due.url), { headers, body, signal })
  const verdict = evaluateWebhookResponse(posted, {
    isTest: due.type === TEST_WEBHOOK_EVENT,
    triesUntil: new Date(due.tries_until),
    at: now(),
  })
  const isPaused = await db.transaction(async (tx) => {
    // Only the worker that owns the job may write this outcome. A competing attempt records its own result.
    await (verdict.next === 'again' ? confirm(tx) : finish(tx))
    await storeWebhookDeliveryAttempt(tx, due, { at, ...attemptOf(posted) })
    if (verdict.next === 'delivered') await recordWebhookDeliveryOutcome(tx, due.id, { state: 'delivered' }, now())
    if (verdict.next === 'dead')
      await recordWebhookDeliveryOutcome(tx, due.id, { state: 'dead', reason: verdict.reason }, now())
    return due.type !== TEST_WEBHOOK_EVENT && (await recordHealth(tx, due, { posted, verdict, mails, at: now() }))
  })
  // The queue schedules the retry; its backoff applies to this delivery only.
  if (verdict.next === 'again' && !isPaused)
    throw new JobFailedError(verdict.failure, { retryBy: new Date(due.tries_until) })
  return { webhook: due.webhookId, status: verdict.next, try: attempt }
}

const attemptOf = (posted: OutgoingPostResult) => {
  if (posted.kind === 'answered') return { status: posted.status, fault: null, ms: posted.ms, answer: posted.answer }
  const fault = posted.kind === 'forbidden' ? posted.reason : posted.kind === 'timeout' ? 'timeout' : posted.code
  return { status: null, fault, ms: posted.ms, answer: '' }
}

type AttemptOutcome = {
  readonly posted: OutgoingPostResult
  readonly verdict: WebhookDeliveryVerdict
  readonly mails: OutgoingMailQueue
  readonly at: Date
}

/**
 * Updates the failure streak; a success resets it. After three days of failures only, or a 410, pauses the webhook,
 * notifies the super users and returns true.
 */
async function recordHealth(
  tx: Db,
  due: DueWebhookDelivery,
  { posted, verdict, mails, at }: AttemptOutcome,
): Promise<boolean> {
  const health = await lockWebhookHealth(tx, due.webhookId)
  if (!health) return false
  const later = (ms: number) => new Date(at.getTime() + ms)
  if (verdict.next === 'delivered') {
    const restsUntil = posted.ms > SLOW_RESPONSE_MS ? later(posted.ms * COOLDOWN_FACTOR) : null
    await saveWebhookHealth(tx, due.webhookId, { failingSince: null, failures: 0, restsUntil })
    return false
  }
  const failures = health.failures + 1
  const failingSince = health.failing_since === null ? at : new Date(health.failing_since)
  const cooldownMs = Math.max(
    verdict.cooldownMs ?? 0,
    verdict.isUnavailable ? computeRetryDelayMs(failures, COOLDOWN) : 0,
  )
  await saveWebhookHealth(tx, due.webhookId, {
    failingSince,
    failures,
    restsUntil: cooldownMs > 0 ? later(cooldownMs) : null,
  })
  if (health.is_paused) return false
  const sinceFirst = failingSince.getTime() - (Date.parse(due.tries_until) - MAX_FAILING_MS)
  const isExpired = verdict.next === 'dead' && verdict.reason === 'expired' && sinceFirst <= FIRST_ATTEMPT_WINDOW_MS
  const isFailing = isExpired || at.getTime() - failingSince.getTime() >= MAX_FAILING_MS
  if (!verdict.isGone && !isFailing) return false
  const reason = verdict.isGone ? 'gone' : 'failing'
  await pauseWebhook(tx, due.webhookId, reason, at)
  await notifyWebhookPause(tx, mails, { ...due, reason, since: failingSince, at })
  return true
}

/**
 * A webhook is paused when its failure streak reaches this length by the clock, or when a delivery whose attempts have
 * all failed fails for the last time.
 */
const MAX_FAILING_MS = WEBHOOK_RETRY_DAYS * DAY_MS
/** A failure streak that started within this time of a delivery's creation includes its first attempt. */
const FIRST_ATTEMPT_WINDOW_MS = 60 * 60_000
/**
 * Cooldown of a target that does not respond; it grows with each failure. Within half an hour of recovering, the target
 * has received everything.
 */
const COOLDOWN = { firstMs: 15_000, maxMs: 30 * 60_000 }
