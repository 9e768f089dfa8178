import { createHmac, hkdfSync, randomInt, timingSafeEqual } from 'node:crypto'
import type { MailLinkKind } from '#contract/report/report-mail.ts'
import { hashSecret } from '#server/platform/route/secret-token.ts'

/** `preview` opens the HTML of a mail preview; all other kinds are links in emails. */
export type MailTokenKind = MailLinkKind | 'preview'

export type MailLinkClaims = {
  readonly kind: MailTokenKind
  readonly userId: number
  readonly subject: string
  readonly expiresAt: Date
}
export type MailTokenResult =
  | { readonly ok: true; readonly claims: MailLinkClaims; readonly hash: string }
  | { readonly ok: false; readonly problem: 'foreign' | 'broken' }

export type MailLinkTokens = {
  sign(claims: MailLinkClaims): string
  /** Reads a token without checking its expiry: the caller must compare `expiresAt`. */
  read(token: string): MailTokenResult
}

const CODES: Readonly<Record<MailTokenKind, string>> = {
  bookmark: 'b',
  unbookmark: 'B',
  hide: 'h',
  unhide: 'H',
  mail_off: 'm',
  mail_on: 'M',
  filter_off: 'f',
  filter_on: 'F',
  questions_off: 'q',
  questions_on: 'Q',
  coverage_off: 'c',
  coverage_on: 'C',
  relevant: 'r',
  irrelevant: 'R',
  seen: 's',
  no_feedback: 'n',
  preview: 'p',
}
const KINDS: ReadonlyMap<string, MailTokenKind> = new Map(
  Object.entries(CODES).map(([kind, code]) => [code, kind as MailTokenKind]),
)
/** Bytes of the signature: 144 bits are unguessable yet short, and one email contains a hundred tokens. */
const MAC_BYTES = 18
const TOKEN_PATTERN = /^([A-Za-z0-9_-]{4,600})\.([A-Za-z0-9_-]{24})$/

/**
 * Signs mail links with HMAC-SHA-256; the keys are derived from the signing secrets. The first secret signs and all
 * secrets verify, so a secret can be rotated without breaking sent links.
 */
export function createMailLinkTokens(secrets: readonly [string, ...string[]]): MailLinkTokens {
  const keys = secrets.map((secret) => Buffer.from(hkdfSync('sha256', secret, '', 'tamngan mail link', 32)))
  const macOf = (key: Buffer, payload: string) =>
    createHmac('sha256', key).update(payload).digest().subarray(0, MAC_BYTES)

  return {
    sign({ kind, userId, subject, expiresAt }) {
      const seconds = Math.floor(expiresAt.getTime() / 1000)
      // The nonce makes two otherwise equal links distinct, because each link works only once.
      const nonce = randomInt(36 ** 5)
      const text = [CODES[kind], userId.toString(36), seconds.toString(36), nonce.toString(36), subject].join(' ')
      const payload = Buffer.from(text, 'utf8').toString('base64url')
      return `${payload}.${macOf(keys[0]!, payload).toString('base64url')}`
    },
    read(token) {
      const [, payload, mac] = TOKEN_PATTERN.exec(token) ?? []
      if (payload === undefined || mac === undefined) return { ok: false, problem: 'broken' }
      const givenMac = Buffer.from(mac, 'base64url')
      if (!keys.some((key) => timingSafeEqual(macOf(key, payload), givenMac))) return { ok: false, problem: 'foreign' }
      const [code = '', user = '', seconds = '', _nonce, ...subject] = Buffer.from(payload, 'base64url')
        .toString('utf8')
        .split(' ')
      const kind = KINDS.get(code)
      // The kind is unknown, so a newer version of this server signed the token.
      if (kind === undefined) return { ok: false, problem: 'foreign' }
      return {
        ok: true,
        claims: {
          kind,
          userId: Number.parseInt(user, 36),
          subject: subject.join(' '),
          expiresAt: new Date(Number.parseInt(seconds, 36) * 1000),
        },
        hash: hashSecret(token),
      }
    },
  }
}
