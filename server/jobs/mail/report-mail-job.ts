import { getWatchListLockEnd } from '#contract/account/watch-list-lock-window.ts'
import { defineJob, JobPostponedError } from '#server/platform/queue/job.ts'
import { composeReportMail, type ReportMailDependencies } from '#server/report/mail/compose-report-mail.ts'
import type { ReportMailProjectCache } from '#server/report/mail/find-report-mail-matches.ts'
import {
  findReportMailRecipient,
  markDeletedFilterPartsMailed,
  type ReportMailRecipient,
} from '#server/report/mail/mail-content-queries.ts'
import {
  findMorningMailTime,
  pruneReportMails,
  REPORT_MAIL_JOB_TYPE,
  recordReportMailOutcome,
} from '#server/report/mail/mail-schedule-queries.ts'

/** Lifetime of the job. Emails contain dates relative to today, so none is sent a day late. */
const VALIDITY_MS = 24 * 60 * 60 * 1000

/** Caches shared by users of the same organisation that one worker processes one after another. */
const caches = new WeakMap<object, ReportMailProjectCache>()

/**
 * Composes one user's email about all waiting loads and queues it. Queueing and settling happen in one transaction, so
 * each user gets one email per load wherever the process is killed (R52, R53).
 */
export const reportMailJob = defineJob<{ loads: number[] }, { readonly reportMail: ReportMailDependencies }>({
  ...REPORT_MAIL_JOB_TYPE,
  concurrency: 1,
  // Ten attempts take two hours. After that the email is marked as failed, because its content would be outdated.
  maxAttempts: 10,
  backoff: { firstMs: 5_000, maxMs: 30 * 60 * 1000 },
  retentionDays: 90,
  // No user is notified of the failure: `died` only marks the loads, and a later email overwrites that.
  diesQuietly: true,
  merge: (payloads) => ({ loads: [...new Set(payloads.flatMap(({ loads }) => loads))].sort((a, b) => a - b) }),
  async run({ db, parts, streak, now, finish, ...job }, { loads }) {
    const [userId, organisationId] = [job.userId!, job.organisationId!]
    const at = now()
    const settle = (state: 'empty' | 'unwanted') =>
      db.transaction(async (tx) => {
        await finish(tx)
        await recordReportMailOutcome(tx, userId, loads, state, at)
        return { user: userId, loads, state }
      })
    const recipient = await findReportMailRecipient(db, userId)
    if (!recipient?.wanted) return await settle('unwanted')
    // The load was published inside the hours for sending, but the worker runs outside them (C12).
    const closedUntil = quietUntil(recipient, at)
    if (closedUntil) throw new JobPostponedError(closedUntil)
    // Loads of a night are published every half minute; one email in the morning covers them (decision 0059).
    const morning = await findMorningMailTime(db, userId, loads, at)
    if (morning) throw new JobPostponedError(morning)
    const content = await composeReportMail(db, parts.reportMail, recipient, {
      loadIds: loads,
      now: at,
      cache: cacheOf(streak),
    })
    if (!content) return await settle('empty')
    return await db.transaction(async (tx) => {
      await finish(tx)
      await recordReportMailOutcome(tx, userId, loads, 'queued', at)
      await markDeletedFilterPartsMailed(tx, userId, at)
      await parts.reportMail.mails.queue(
        tx,
        {
          kind: 'report',
          to: recipient.email,
          content,
          dedupeKey: `report:${userId}:${loads.at(-1)}`,
          notAfter: new Date(at.getTime() + VALIDITY_MS),
          userId,
          organisationId,
        },
        at,
      )
      return { user: userId, loads, state: 'queued' }
    })
  },
  died: async (tx, { loads }, at, { userId }) => await recordReportMailOutcome(tx, userId!, loads, 'failed', at),
  prune: pruneReportMails,
})

function cacheOf(streak: object): ReportMailProjectCache {
  const cache = caches.get(streak) ?? {}
  caches.set(streak, cache)
  return cache
}

function quietUntil({ not_allow_start_time, not_allow_end_time }: ReportMailRecipient, at: Date): Date | undefined {
  if (not_allow_start_time === null || not_allow_end_time === null) return undefined
  return getWatchListLockEnd({ not_allow_start_time, not_allow_end_time }, at)
}
