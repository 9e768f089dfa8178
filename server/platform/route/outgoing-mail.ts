import { randomUUID } from 'node:crypto'
import { z } from 'zod/mini'
import type { Db } from '#server/platform/engine/db.ts'
import { insertMail } from '#server/platform/mail/mail-rows.ts'
import type { MailContent } from '#server/platform/mail/render-mail.ts'
import { createMailSeal } from '#server/platform/mail/seal-mail.ts'
import { enqueue } from '#server/platform/queue/enqueue.ts'
import type { JobType } from '#server/platform/queue/job.ts'

export type MailToSend = {
  readonly kind: string
  readonly to: string
  readonly content: MailContent
  /** After this moment the mail is of no use and is not sent. */
  readonly notAfter?: Date | undefined
  /** A mail with the same key is asked for only once (R52). */
  readonly dedupeKey?: string | undefined
  readonly userId?: number | undefined
  readonly organisationId?: number | undefined
}

/** The number of a row of `mails`, where the mail lies sealed. */
const payload = z.object({ mail: z.number() })
export const MAIL_JOB: JobType<z.output<typeof payload>> = { kind: 'mail', payload }

export type OutgoingMail = {
  /** Queues a mail in the transaction of what it tells about. Nothing is sent here: no request waits for a mail server (R53). */
  queue(tx: Db, mail: MailToSend, at: Date): Promise<void>
  /** Address of a page of ours for a mail. From the settings alone, whatever host a request names (R21). */
  link(path: string): string
}

/** `baseUrl`: the address people use, without a slash at its end; asked for each mail, because a port may be known only after the start. */
export function createOutgoingMail(options: {
  readonly secrets: readonly [string, ...string[]]
  baseUrl(): string
}): OutgoingMail {
  const seal = createMailSeal(options.secrets)
  const base = () => options.baseUrl().replace(/(?<!\/)\/+$/, '')
  return {
    async queue(tx, { to, content, ...mail }, at) {
      // Fixed now: a retry after a lost answer is then recognised as the same mail (R53).
      const messageId = `<${randomUUID()}@${new URL(base()).hostname}>`
      const id = await insertMail(tx, { ...mail, messageId, sealed: seal.seal({ to, ...content }), at })
      if (id === undefined) return
      const { userId, organisationId } = mail
      await enqueue(tx, MAIL_JOB, { key: String(id), payload: { mail: id }, at, userId, organisationId })
    },
    link: (path) => `${base()}${path}`,
  }
}
