import { findQueuedMail, pruneMails, settleMail } from '#server/platform/mail/mail-rows.ts'
import type { MailSeal } from '#server/platform/mail/seal-mail.ts'
import type { MailTransport } from '#server/platform/mail/smtp-transport.ts'
import { defineJob, JobFailure, JobRefused } from '#server/platform/queue/job.ts'
import { MAIL_JOB } from '#server/platform/route/outgoing-mail.ts'
import { pruneUseCounts } from '#server/platform/route/use-counts.ts'

export type MailDelivery = { readonly seal: MailSeal; readonly transport: MailTransport }

/**
 * Sends one mail and retries by kind of response (R53). A sent mail loses its text (R14); a dead one retains it sealed
 * for seven days, or until its code or link expires (decision 0056); a mail in the local outbox stays sealed. If the
 * worker dies while the mail server has the mail, it may be sent again with the same Message-ID.
 */
export const mailJob = defineJob<{ mail: number }, { readonly delivery: MailDelivery }>({
  ...MAIL_JOB,
  concurrency: 1,
  // Fifteen attempts take three hours, so a mail server outage of one hour loses nothing (R53).
  maxAttempts: 15,
  backoff: { firstMs: 5_000, longestMs: 30 * 60 * 1000 },
  // Same as the mail itself.
  retentionDays: 90,
  async run({ db, parts, now, finish }, { mail: id }) {
    const mail = await findQueuedMail(db, id)
    if (!mail) return
    const end = (state: 'sent' | 'kept' | 'expired') =>
      db.transaction(async (tx) => {
        await finish(tx)
        await settleMail(tx, id, state, now())
        return { mail: mail.kind, state }
      })
    if (mail.notAfter !== null && Date.parse(mail.notAfter) <= now().getTime()) return await end('expired')
    const content = parts.delivery.seal.open(mail.sealed)
    // The sealing secret is gone, so the text can never be read again.
    if (!content) throw new JobRefused('sealed with another secret')
    const answer = await parts.delivery.transport.send(content, mail.messageId)
    if (answer.kind === 'sent' || answer.kind === 'kept') return await end(answer.kind)
    if (answer.kind === 'refused') throw new JobRefused(answer.failure)
    // Retry no later than the expiry, when the text must be deleted.
    throw new JobFailure(answer.failure, { retryBy: mail.notAfter === null ? undefined : new Date(mail.notAfter) })
  },
  died: async (tx, { mail: id }, at) => await settleMail(tx, id, 'failed', at),
  async prune(db, now) {
    await pruneMails(db, now)
    await pruneUseCounts(db, now)
  },
})
