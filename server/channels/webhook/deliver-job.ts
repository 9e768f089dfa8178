import { DELIVERY_DAYS, RETRY_DAYS, TEST_EVENT } from '#contract/account/webhook.ts'
import { bothTabs } from '#contract/report/report-filter.ts'
import { bangkokToday } from '#contract/thai/thai-date.ts'
import { WEBHOOK_JOB } from '#server/channels/webhook-event/write-events.ts'
import type { Db } from '#server/platform/engine/db.ts'
import type { TextSeal } from '#server/platform/engine/sealed-text.ts'
import type { OutgoingPost, Posted } from '#server/platform/outgoing/post.ts'
import { defineJob, type JobContext, JobFailure, JobPostponed, retryDelay } from '#server/platform/queue/job.ts'
import type { OutgoingMail } from '#server/platform/route/outgoing-mail.ts'
import { findPassing } from '#server/report/find-passing.ts'
import { searchOfStored } from '#server/report/saved-filter-counts.ts'
import {
  type DueDelivery,
  findDue,
  forgetDelivery,
  lockHealth,
  pauseWebhook,
  pruneDeliveries,
  saveHealth,
  settleDelivery,
  storeAttempt,
} from './delivery-queries.ts'
import { judge, type Verdict } from './judge-answer.ts'
import { renderPayload } from './render-payload.ts'
import { signedHeaders } from './sign.ts'
import { tellOfPause } from './tell-of-pause.ts'

export type WebhookParts = {
  readonly webhooks: {
    readonly post: OutgoingPost
    readonly seal: TextSeal
    readonly mails: OutgoingMail
  }
}

const DAY_MS = 86_400_000
/** Attempts per delivery: at once, then after 15 s, 30 s, … up to every three hours, about thirty in three days. */
const BACKOFF = { firstMs: 15_000, longestMs: 3 * 60 * 60_000 }
/** After a slower response the webhook pauses, so that it occupies a slot at most a quarter of the time. */
const SLOW_MS = 3_000
const REST_PER_MS = 3

/** No user has this id: personal stars and labels in a view match nothing, as for an API key. */
const NOBODY = 0

/**
 * Sends one delivery and records the outcome. Delivery is at least once: until the outcome is recorded, it may be sent
 * again with the same id. If the target is down, slow or asks for a delay, the whole webhook cools down and its other
 * deliveries wait without an attempt.
 */
export const webhookJob = defineJob<{ delivery: string }, WebhookParts>({
  ...WEBHOOK_JOB,
  // Jobs mostly wait for network I/O.
  concurrency: 16,
  // Three days end retries, not the number of attempts; this limit only stops a bug of ours.
  maxAttempts: 60,
  backoff: BACKOFF,
  retentionDays: 1,
  async run(context, { delivery: id }) {
    const { db, now, finish } = context
    const due = await findDue(db, id)
    if (!due) return undefined
    const isTest = due.type === TEST_EVENT
    const obstacle = isTest ? undefined : await obstacleOf(db, due, now())
    if (obstacle === undefined) return await send(context, due)
    if (obstacle instanceof Date) throw new JobPostponed(obstacle)
    return await db.transaction(async (tx) => {
      await finish(tx)
      if (obstacle === 'not of the view') await forgetDelivery(tx, id)
      else await settleDelivery(tx, id, { state: 'dead', reason: obstacle }, now())
      return { webhook: due.webhookId, left: obstacle }
    })
  },
  died: async (tx, { delivery }, at) => await settleDelivery(tx, delivery, { state: 'dead', reason: 'error' }, at),
  prune: async (db, now) => await pruneDeliveries(db, new Date(now.getTime() - DELIVERY_DAYS * DAY_MS)),
})

/** Why a delivery is not sent now: never, excluded by the team's filter, or not before a given time. */
async function obstacleOf(
  db: Db,
  due: DueDelivery,
  at: Date,
): Promise<'off' | 'paused' | 'view' | 'not of the view' | Date | undefined> {
  if (due.is_off) return 'off'
  if (due.is_paused) return 'paused'
  const rests = due.rests_until === null ? undefined : new Date(due.rests_until)
  if (rests && rests > at) return rests
  if (!due.has_view || due.project_id === null || due.type === 'pursuit.stage') return undefined
  const search = searchOfStored(due.view_filter)
  if (!search) return 'view'
  const scope = { organisationId: due.organisationId, userId: NOBODY, today: bangkokToday(at) }
  const found = (await findPassing(db, bothTabs(search), scope, [due.project_id])).flat()
  return found.length > 0 ? undefined : 'not of the view'
}

async function send(context: JobContext<WebhookParts>, due: DueDelivery): Promise<object> {
  const { db, parts, now, signal, finish, confirm, attempt } = context
  const { post, seal, mails } = parts.webhooks
  const at = now()
  const isOldGood = due.old_secret_until !== null && new Date(due.old_secret_until) > at
  const secrets = [due.secret, ...(isOldGood && due.old_secret !== null ? [due.old_secret] : [])].flatMap(
    (sealed) => seal.open(sealed) ?? [],
  )
  // Sealed with a signing secret that was removed: never send unsigned.
  if (secrets.length === 0) {
    return await db.transaction(async (tx) => {
      await finish(tx)
      await settleDelivery(tx, due.id, { state: 'dead', reason: 'error' }, at)
      return { webhook: due.webhookId, left: 'error' }
    })
  }
  const body = renderPayload(due, mails.link)
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'user-agent': `tamngan/1.0 (+${mails.link('/')})`,
    ...signedHeaders({ id: due.id, body, at }, secrets),
  }
  const posted = await post(new URL(due.url), { headers, body, signal })
  const verdict = judge(posted, { isTest: due.type === TEST_EVENT, triesUntil: new Date(due.tries_until), at: now() })
  const isPaused = await db.transaction(async (tx) => {
    // Only the worker that owns the job may write; a competing attempt records its own result.
    await (verdict.next === 'again' ? confirm(tx) : finish(tx))
    await storeAttempt(tx, due, { at, ...attemptOf(posted) })
    if (verdict.next === 'delivered') await settleDelivery(tx, due.id, { state: 'delivered' }, now())
    if (verdict.next === 'dead') await settleDelivery(tx, due.id, { state: 'dead', reason: verdict.reason }, now())
    return due.type !== TEST_EVENT && (await recordHealth(tx, due, { posted, verdict, mails, at: now() }))
  })
  // The queue schedules the retry; its backoff applies to this delivery only.
  if (verdict.next === 'again' && !isPaused)
    throw new JobFailure(verdict.failure, { retryBy: new Date(due.tries_until) })
  return { webhook: due.webhookId, status: verdict.next, try: attempt }
}

const attemptOf = (posted: Posted) => {
  if (posted.kind === 'answered') return { status: posted.status, fault: null, ms: posted.ms, answer: posted.answer }
  const fault = posted.kind === 'forbidden' ? posted.reason : posted.kind === 'timeout' ? 'timeout' : posted.code
  return { status: null, fault, ms: posted.ms, answer: '' }
}

type Noted = { readonly posted: Posted; readonly verdict: Verdict; readonly mails: OutgoingMail; readonly at: Date }

/**
 * Success resets the failure streak. Three days of failures only, or a 410, pause the webhook and notify its super
 * users; then returns true.
 */
async function recordHealth(tx: Db, due: DueDelivery, { posted, verdict, mails, at }: Noted): Promise<boolean> {
  const health = await lockHealth(tx, due.webhookId)
  if (!health) return false
  const later = (ms: number) => new Date(at.getTime() + ms)
  if (verdict.next === 'delivered') {
    const restsUntil = posted.ms > SLOW_MS ? later(posted.ms * REST_PER_MS) : null
    await saveHealth(tx, due.webhookId, { failingSince: null, failures: 0, restsUntil })
    return false
  }
  const failures = health.failures + 1
  const failingSince = health.failing_since === null ? at : new Date(health.failing_since)
  const rests = Math.max(verdict.restMs ?? 0, verdict.isAway ? retryDelay(failures, AWAY) : 0)
  await saveHealth(tx, due.webhookId, { failingSince, failures, restsUntil: rests > 0 ? later(rests) : null })
  if (health.is_paused) return false
  const sinceFirst = failingSince.getTime() - (Date.parse(due.tries_until) - FAILING_MS)
  const isExpired = verdict.next === 'dead' && verdict.reason === 'expired' && sinceFirst <= SOON_MS
  const isFailing = isExpired || at.getTime() - failingSince.getTime() >= FAILING_MS
  if (!verdict.isGone && !isFailing) return false
  const reason = verdict.isGone ? 'gone' : 'failing'
  await pauseWebhook(tx, due.webhookId, reason, at)
  await tellOfPause(tx, mails, { ...due, reason, since: failingSince, at })
  return true
}

/**
 * A failure streak of this length pauses the webhook, by the clock or with the last attempt of a delivery that failed
 * from its first attempt on.
 */
const FAILING_MS = RETRY_DAYS * DAY_MS
/** A failure streak that started within this time of a delivery's creation includes its first attempt. */
const SOON_MS = 60 * 60_000
/**
 * Cooldown of a target that does not respond, growing per failure. Half an hour after recovery it has received
 * everything.
 */
const AWAY = { firstMs: 15_000, longestMs: 30 * 60_000 }
