import { findQueuedMail, pruneMails, settleMail } from '#server/platform/mail/mail-rows.ts'
import type { MailSeal } from '#server/platform/mail/seal-mail.ts'
import type { MailTransport } from '#server/platform/mail/smtp-transport.ts'
import { defineJob, JobFailure, JobRefused } from '#server/platform/queue/job.ts'
import { MAIL_JOB } from '#server/platform/route/outgoing-mail.ts'
import { pruneUseCounts } from '#server/platform/route/use-counts.ts'

export type MailDelivery = { readonly seal: MailSeal; readonly transport: MailTransport }

/**
 * Sends one mail and tries again by kind of answer (R53). What is sent loses its text (R14); what is given up keeps it
 * sealed for seven days, or until its code or link is of no use (decision 0056); what is kept in the local outbox stays sealed. A
 * mail that was at the mail server when its worker died may be sent again, with the same Message-ID.
 */
export const mailJob = defineJob<{ mail: number }, { readonly delivery: MailDelivery }>({
  ...MAIL_JOB,
  concurrency: 1,
  // Fifteen tries take three hours: a mail server that is down for one loses nothing (R53).
  maxAttempts: 15,
  backoff: { firstMs: 5_000, longestMs: 30 * 60 * 1000 },
  // As long as the mail itself.
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
    // Nobody will ever read it: the secret that sealed it is gone.
    if (!content) throw new JobRefused('sealed with another secret')
    const answer = await parts.delivery.transport.send(content, mail.messageId)
    if (answer.kind === 'sent' || answer.kind === 'kept') return await end(answer.kind)
    if (answer.kind === 'refused') throw new JobRefused(answer.failure)
    // Looked at again no later than when it is of no use any more: then its text goes.
    throw new JobFailure(answer.failure, { retryBy: mail.notAfter === null ? undefined : new Date(mail.notAfter) })
  },
  died: async (tx, { mail: id }, at) => await settleMail(tx, id, 'failed', at),
  async prune(db, now) {
    await pruneMails(db, now)
    await pruneUseCounts(db, now)
  },
})
