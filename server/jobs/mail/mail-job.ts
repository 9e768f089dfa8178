import type { MailCipher } from '#server/platform/mail/mail-cipher.ts'
import { findQueuedMail, pruneMails, recordDeliveryOutcome } from '#server/platform/mail/queued-mails.ts'
import type { MailTransport } from '#server/platform/mail/smtp-transport.ts'
import { defineJob, JobFailedError, NonRetryableJobError } from '#server/platform/queue/job.ts'
import { MAIL_JOB_TYPE } from '#server/platform/route/outgoing-mail.ts'
import { pruneActionRateLimits } from '#server/platform/route/use-counts.ts'

export type MailDeliveryDependencies = { readonly seal: MailCipher; readonly transport: MailTransport }

/**
 * Sends one email and retries depending on the kind of response (R53). A sent email loses its text (R14). A dead one
 * keeps it, encrypted, for seven days or until its code or link expires (decision 0056). An email in the local outbox
 * stays encrypted. If the worker dies after passing the email to the mail server, it may be sent again with the same
 * Message-ID.
 */
export const mailJob = defineJob<{ mail: number }, { readonly delivery: MailDeliveryDependencies }>({
  ...MAIL_JOB_TYPE,
  concurrency: 1,
  // Fifteen attempts take three hours, so an outage of the mail server of one hour loses nothing (R53).
  maxAttempts: 15,
  backoff: { firstMs: 5_000, maxMs: 30 * 60 * 1000 },
  retentionDays: 90,
  async run({ db, parts, now, finish }, { mail: id }) {
    const mail = await findQueuedMail(db, id)
    if (!mail) return
    const settle = (state: 'sent' | 'kept' | 'expired') =>
      db.transaction(async (tx) => {
        await finish(tx)
        await recordDeliveryOutcome(tx, id, state, now())
        return { mail: mail.kind, state }
      })
    if (mail.notAfter !== null && Date.parse(mail.notAfter) <= now().getTime()) return await settle('expired')
    const content = parts.delivery.seal.open(mail.sealed)
    // The encryption secret has changed, so the text can never be read again.
    if (!content) throw new NonRetryableJobError('encrypted with a different secret')
    const response = await parts.delivery.transport.send(content, mail.messageId)
    if (response.kind === 'sent' || response.kind === 'kept') return await settle(response.kind)
    if (response.kind === 'refused') throw new NonRetryableJobError(response.failure)
    // Retry no later than the email's expiry, when its text must be deleted.
    throw new JobFailedError(response.failure, {
      retryBy: mail.notAfter === null ? undefined : new Date(mail.notAfter),
    })
  },
  died: async (tx, { mail: id }, at) => await recordDeliveryOutcome(tx, id, 'failed', at),
  async prune(db, now) {
    await pruneMails(db, now)
    await pruneActionRateLimits(db, now)
  },
})
