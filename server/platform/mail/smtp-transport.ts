import { createTransport } from 'nodemailer'
import type { SealedMail } from './seal-mail.ts'

/** What became of one try. `failure`: answer code and command of the mail server, or the kind of fault; never its words (they repeat addresses). */
export type Delivery =
  | { readonly kind: 'sent' }
  /** The mail is in the local outbox, where it stays. */
  | { readonly kind: 'kept' }
  /** Worth trying again. */
  | { readonly kind: 'later'; readonly failure: string }
  /** The mail server will never take it. */
  | { readonly kind: 'refused'; readonly failure: string }

export type MailTransport = {
  /** Never rejects. */
  send(mail: SealedMail, messageId: string): Promise<Delivery>
  /** Gives up what is being sent, as worth trying again. */
  close(): void
}

/** A mail server that says nothing for this long is tried again later. One try ends within the lease of its worker. */
const CONNECT_MS = 10_000
const SILENCE_MS = 20_000
const WHOLE_TRY_MS = 45_000
/** nodemailer's names for "the mail server refused these addresses, or this text". A 5xx to our login or greeting is ours to repair: tried again. */
const ABOUT_THE_MAIL: readonly unknown[] = ['EENVELOPE', 'EMESSAGE']

/** Delivery by SMTP. `url`: `smtp://user:password@host:port` or `smtps://…`; `from` as in a header. */
export function createSmtpTransport(
  { url, from }: { url: string; from: string },
  limits = { silenceMs: SILENCE_MS },
): MailTransport {
  const smtp = createTransport({
    url,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: Math.min(CONNECT_MS, limits.silenceMs),
    socketTimeout: limits.silenceMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const closing = Promise.withResolvers<never>()
  closing.promise.catch(() => undefined)
  return {
    async send({ to, subject, html, text, unsubscribeUrl }, messageId) {
      let late: NodeJS.Timeout | undefined
      const gaveUp = new Promise<never>((_, reject) => {
        late = setTimeout(() => reject(new Error('took too long')), WHOLE_TRY_MS)
      })
      try {
        const sending = smtp.sendMail({
          from,
          // As an object: an address is not parsed again, so it can never become two.
          to: { name: '', address: to },
          subject,
          html,
          text,
          messageId,
          // No answers from holiday programs.
          headers: {
            'Auto-Submitted': 'auto-generated',
            'X-Auto-Response-Suppress': 'All',
            ...(unsubscribeUrl === undefined ? {} : unsubscribeHeaders(unsubscribeUrl)),
          },
        })
        await Promise.race([sending, gaveUp, closing.promise])
        return { kind: 'sent' }
      } catch (error) {
        return asDelivery(error)
      } finally {
        clearTimeout(late)
      }
    },
    close() {
      closing.reject(new Error('stopped'))
      smtp.close()
    },
  }
}

/** One press in the mail program itself ends the mails (RFC 8058). */
const unsubscribeHeaders = (url: string) => ({
  'List-Unsubscribe': `<${url}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
})

/** Keeps every mail where the outbox page reads it: for a machine without a mail server. */
export const localOutbox: MailTransport = {
  send: async () => ({ kind: 'kept' }),
  close: () => undefined,
}

function asDelivery(error: unknown): Delivery {
  const { responseCode, command, code } = error as { responseCode?: number; command?: string; code?: string }
  const failure = responseCode === undefined ? (code ?? 'no answer') : `${responseCode} ${command ?? ''}`.trim()
  // Without an answer an envelope is refused by nodemailer itself: the address is none.
  const isFinal =
    ABOUT_THE_MAIL.includes(code) && (responseCode === undefined ? command === 'API' : responseCode >= 500)
  return { kind: isFinal ? 'refused' : 'later', failure }
}
