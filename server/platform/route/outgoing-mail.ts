import { randomUUID } from 'node:crypto'
import { z } from 'zod/mini'
import type { Db } from '#server/platform/engine/db.ts'
import { createMailCipher } from '#server/platform/mail/mail-cipher.ts'
import { insertMail } from '#server/platform/mail/queued-mails.ts'
import type { MailContent } from '#server/platform/mail/render-mail.ts'
import { enqueueSingleJob } from '#server/platform/queue/enqueue-jobs.ts'
import type { JobType } from '#server/platform/queue/job.ts'

export type MailToSend = {
  readonly kind: string
  readonly to: string
  readonly content: MailContent
  readonly notAfter?: Date | undefined
  /** Only one email per key is queued, so a repeated request sends nothing twice (R52). */
  readonly dedupeKey?: string | undefined
  readonly userId?: number | undefined
  readonly organisationId?: number | undefined
}

const payload = z.object({ mail: z.number() })
export const MAIL_JOB_TYPE: JobType<z.output<typeof payload>> = { kind: 'mail', payload }

export type OutgoingMailQueue = {
  /**
   * Queues an email in the caller's transaction without sending it, because no request waits for a mail server (R53).
   */
  queue(tx: Db, mail: MailToSend, at: Date): Promise<void>
  /** Returns the absolute URL of a page. Built only from the settings, never from the host of the request (R21). */
  link(path: string): string
}

/**
 * Creates the email queue. `baseUrl` returns the public URL and is called for every email, because the port may be
 * known only after startup.
 */
export function createOutgoingMailQueue(options: {
  readonly secrets: readonly [string, ...string[]]
  baseUrl(): string
}): OutgoingMailQueue {
  const seal = createMailCipher(options.secrets)
  const base = () => options.baseUrl().replace(/(?<!\/)\/+$/, '')
  return {
    async queue(tx, { to, content, ...mail }, at) {
      // Fixed now, so that mail servers recognise a retry after a lost response as the same email (R53).
      const messageId = `<${randomUUID()}@${new URL(base()).hostname}>`
      const id = await insertMail(tx, { ...mail, messageId, sealed: seal.seal({ to, ...content }), at })
      if (id === undefined) return
      const { userId, organisationId } = mail
      await enqueueSingleJob(tx, MAIL_JOB_TYPE, { key: String(id), payload: { mail: id }, at, userId, organisationId })
    },
    link: (path) => `${base()}${path}`,
  }
}
