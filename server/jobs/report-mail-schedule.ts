import { randomUUID } from 'node:crypto'
import { listsLockedUntil } from '#contract/keyword/not-allowed-window.ts'
import { type Db, DbUnavailable } from '#server/engine/db.ts'
import { LeaseLost } from '#server/engine/lease.ts'
import { type CandidateCache, composeReportMail, type MailParts } from '#server/features/report-mail/compose.ts'
import { findRecipient, type Recipient } from '#server/features/report-mail/queries-content.ts'
import {
  type ClaimedReportMail,
  claimReportMail,
  isReportMailDue,
  pruneReportMails,
  type ReportMailOutcome,
  renewReportMail,
  settleReportMail,
} from '#server/features/report-mail/queries-schedule.ts'
import { repeatWork, type Schedule } from './repeat-work.ts'
import { waitAfter } from './wait-after.ts'

/** First wait after a failed try, and the longest. */
const WAITS = { firstMs: 5_000, longestMs: 30 * 60 * 1000 }
/** Ten tries take two hours; then the mail is given up and marked: it would tell of yesterday. */
const MOST_TRIES = 10
const RENEW_MS = 15_000
/** A mail about dates is not sent a day late. */
const GOOD_FOR_MS = 24 * 60 * 60 * 1000

type ReportMailLog = Readonly<Record<'info' | 'warn' | 'error', (fields: object, text: string) => void>>
export type ReportMailWork = {
  readonly db: Db
  readonly parts: MailParts
  readonly log: ReportMailLog
  now(): Date
  readonly signal?: AbortSignal | undefined
}

/**
 * Puts the mails that are due together and into the queue of mails, one user after the other; answers how many users it settled. Several
 * workers share the work. A mail is queued in the transaction that settles its rows, so whatever is killed when, each user is told of each
 * load in one mail (R52, R53).
 */
export async function sendReportMails(work: ReportMailWork): Promise<number> {
  const { db, now, signal } = work
  const holder = randomUUID()
  const cache: CandidateCache = {}
  let tried = 0
  while (!signal?.aborted) {
    const claim = await claimReportMail(db, holder, now())
    if (!claim) break
    await carryOut(work, claim, cache)
    tried += 1
  }
  return tried
}

async function carryOut(work: ReportMailWork, claim: ClaimedReportMail, cache: CandidateCache): Promise<void> {
  const { db, log, now } = work
  const renewal = setInterval(() => {
    // A failed renewal is not fatal: settling decides, in the transaction that queues the mail.
    renewReportMail(db, claim, now()).catch(() => undefined)
  }, RENEW_MS)
  // No address and no name: both are personal (R14).
  const line = { user: claim.userId, loads: claim.loadIds, attempt: claim.attempts }
  try {
    const outcome = await settled(work, claim, cache)
    log.info({ ...line, ...outcome }, 'report mail settled')
  } catch (error) {
    if (error instanceof LeaseLost) return
    const outcome = outcomeOfFailure(error, claim, work)
    await settleReportMail(db, claim, outcome, now())
    if (outcome.state === 'failed') log.error({ ...line, err: error }, 'report mail given up')
    else log.warn({ ...line, err: error }, 'report mail to be tried again')
  } finally {
    clearInterval(renewal)
  }
}

/** Composes and queues. Rejects with `LeaseLost` when the claim went to another worker: then nothing of it stays. */
async function settled(
  work: ReportMailWork,
  claim: ClaimedReportMail,
  cache: CandidateCache,
): Promise<ReportMailOutcome> {
  const { db, parts, now } = work
  const at = now()
  const recipient = await findRecipient(db, claim.userId)
  const closedUntil = recipient && windowEnd(recipient, at)
  if (!recipient?.wanted) return await settle(db, claim, { state: 'unwanted' }, at)
  // The load came before the window, the worker only now (C12).
  if (closedUntil) return await settle(db, claim, { state: 'waiting', nextAt: closedUntil, failure: undefined }, at)
  const mail = await composeReportMail(db, parts, recipient, { loadIds: claim.loadIds, now: at, cache })
  if (!mail) return await settle(db, claim, { state: 'empty' }, at)
  return await db.transaction(async (tx) => {
    const outcome = await settle(tx, claim, { state: 'queued' }, at)
    await parts.mails.queue(
      tx,
      {
        kind: 'report',
        to: recipient.email,
        content: mail,
        dedupeKey: `report:${claim.userId}:${claim.loadIds.at(-1)}`,
        notAfter: new Date(at.getTime() + GOOD_FOR_MS),
        userId: claim.userId,
        organisationId: claim.organisationId,
      },
      at,
    )
    return outcome
  })
}

function windowEnd({ not_allow_start_time, not_allow_end_time }: Recipient, at: Date): Date | undefined {
  if (not_allow_start_time === null || not_allow_end_time === null) return undefined
  return listsLockedUntil({ not_allow_start_time, not_allow_end_time }, at)
}

async function settle(
  tx: Db,
  claim: ClaimedReportMail,
  outcome: ReportMailOutcome,
  at: Date,
): Promise<ReportMailOutcome> {
  if (!(await settleReportMail(tx, claim, outcome, at))) throw new LeaseLost('the mail went to another worker')
  return outcome
}

function outcomeOfFailure(
  error: unknown,
  { attempts }: ClaimedReportMail,
  { now, signal }: ReportMailWork,
): Extract<ReportMailOutcome, { readonly state: 'waiting' | 'failed' }> {
  if (signal?.aborted === true) return { state: 'waiting', nextAt: now(), failure: undefined }
  const failure = error instanceof Error ? error.name : 'unknown'
  // A database that is away is not the mail's fault: it is tried until it is back.
  if (attempts >= MOST_TRIES && !(error instanceof DbUnavailable)) return { state: 'failed', failure }
  return { state: 'waiting', nextAt: new Date(now().getTime() + waitAfter(attempts, WAITS)), failure }
}

/** A look when nobody waits costs one indexed query. */
const LOOK_EVERY_MS = 2_000
const PRUNE_EVERY_MS = 60 * 60 * 1000

/** Puts report mails together as they become due, until it is stopped; what is under way then is finished first. */
export function scheduleReportMailing(
  db: Db,
  parts: MailParts,
  log: ReportMailLog,
  now: () => Date = () => new Date(),
): Schedule {
  const failed = (error: unknown) => log.error({ err: error }, 'report mails are not put together')
  const work = repeatWork({
    everyMs: LOOK_EVERY_MS,
    async work(signal) {
      if (await isReportMailDue(db, now())) await sendReportMails({ db, parts, log, now, signal })
    },
    failed,
  })
  const pruning = repeatWork({ everyMs: PRUNE_EVERY_MS, work: () => pruneReportMails(db, now()), failed })
  return {
    async stop() {
      await Promise.all([work.stop(), pruning.stop()])
    },
  }
}
