import { createTransport } from 'nodemailer'
import type { AddressedMail } from './mail-cipher.ts'

/**
 * Outcome of one attempt. `failure`: reply code and command of the mail server, or the kind of fault; never the
 * server's text, which repeats e-mail addresses.
 */
export type MailDeliveryOutcome =
  | { readonly kind: 'sent' }
  | { readonly kind: 'kept' }
  | { readonly kind: 'later'; readonly failure: string }
  | { readonly kind: 'refused'; readonly failure: string }

export type MailTransport = {
  send(mail: AddressedMail, messageId: string): Promise<MailDeliveryOutcome>
  close(): void
}

/**
 * A mail server that is silent for this long counts as unreachable, and the email is retried later. One attempt must
 * end within the worker's lease.
 */
const CONNECT_TIMEOUT_MS = 10_000
const SILENCE_TIMEOUT_MS = 20_000
const ATTEMPT_TIMEOUT_MS = 45_000
/**
 * nodemailer's codes for refused addresses or a refused message, the only failures that can be final. A 5xx reply to
 * our login or greeting is a configuration fault, so it is retried.
 */
const MAIL_ERROR_CODES: readonly unknown[] = ['EENVELOPE', 'EMESSAGE']

/** `url`: `smtp://user:password@host:port` or `smtps://…`. `from`: sender as in the header of an email. */
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
          // Pass an object, because nodemailer would parse a string again and could read two recipients in it.
          to: { name: '', address: to },
          subject,
          html,
          text,
          messageId,
          // The first two headers suppress out-of-office replies.
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

export const localOutboxTransport: MailTransport = {
  send: async () => ({ kind: 'kept' }),
  close: () => undefined,
}

function asDelivery(error: unknown): MailDeliveryOutcome {
  const { responseCode, command, code } = error as { responseCode?: number; command?: string; code?: string }
  const failure = responseCode === undefined ? (code ?? 'no answer') : `${responseCode} ${command ?? ''}`.trim()
  // Without a reply code, nodemailer itself refused the envelope: the address is invalid.
  const isFinal =
    MAIL_ERROR_CODES.includes(code) && (responseCode === undefined ? command === 'API' : responseCode >= 500)
  return { kind: isFinal ? 'refused' : 'later', failure }
}
