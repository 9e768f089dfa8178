import { createTransport } from 'nodemailer'
import type { SealedMail } from './seal-mail.ts'

/**
 * Outcome of one attempt. `failure`: reply code and command of the mail server, or the kind of fault; never its text,
 * which repeats addresses.
 */
export type Delivery =
  | { readonly kind: 'sent' }
  | { readonly kind: 'kept' }
  | { readonly kind: 'later'; readonly failure: string }
  | { readonly kind: 'refused'; readonly failure: string }

export type MailTransport = {
  send(mail: SealedMail, messageId: string): Promise<Delivery>
  close(): void
}

/** A silent mail server is retried later. One attempt must end within the worker's lease. */
const CONNECT_TIMEOUT_MS = 10_000
const SILENCE_TIMEOUT_MS = 20_000
const ATTEMPT_TIMEOUT_MS = 45_000
/**
 * nodemailer's codes for refused addresses or a refused message. A 5xx to our login or greeting is a configuration
 * fault, so retry.
 */
const MAIL_ERROR_CODES: readonly unknown[] = ['EENVELOPE', 'EMESSAGE']

/** `url`: `smtp://user:password@host:port` or `smtps://…`; `from` as in a header. */
export function createSmtpTransport(
  { url, from }: { url: string; from: string },
  limits = { silenceMs: SILENCE_TIMEOUT_MS },
): MailTransport {
  const smtp = createTransport({
    url,
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: Math.min(CONNECT_TIMEOUT_MS, limits.silenceMs),
    socketTimeout: limits.silenceMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const closing = Promise.withResolvers<never>()
  closing.promise.catch(() => undefined)
  return {
    async send({ to, subject, html, text, unsubscribeUrl }, messageId) {
      let timer: NodeJS.Timeout | undefined
      const timeout = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new Error('took too long')), ATTEMPT_TIMEOUT_MS)
      })
      try {
        const sending = smtp.sendMail({
          from,
          // As an object, so that the address is not parsed again and cannot become two.
          to: { name: '', address: to },
          subject,
          html,
          text,
          messageId,
          // Suppresses out-of-office replies.
          headers: {
            'Auto-Submitted': 'auto-generated',
            'X-Auto-Response-Suppress': 'All',
            ...(unsubscribeUrl === undefined ? {} : unsubscribeHeaders(unsubscribeUrl)),
          },
        })
        await Promise.race([sending, timeout, closing.promise])
        return { kind: 'sent' }
      } catch (error) {
        return asDelivery(error)
      } finally {
        clearTimeout(timer)
      }
    },
    close() {
      closing.reject(new Error('stopped'))
      smtp.close()
    },
  }
}

const unsubscribeHeaders = (url: string) => ({
  'List-Unsubscribe': `<${url}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
})

/** For a machine without a mail server: mails stay in the database for the outbox page. */
export const localOutbox: MailTransport = {
  send: async () => ({ kind: 'kept' }),
  close: () => undefined,
}

function asDelivery(error: unknown): Delivery {
  const { responseCode, command, code } = error as { responseCode?: number; command?: string; code?: string }
  const failure = responseCode === undefined ? (code ?? 'no answer') : `${responseCode} ${command ?? ''}`.trim()
  // Without a reply code, nodemailer itself refused the envelope: the address is invalid.
  const isFinal =
    MAIL_ERROR_CODES.includes(code) && (responseCode === undefined ? command === 'API' : responseCode >= 500)
  return { kind: isFinal ? 'refused' : 'later', failure }
}
