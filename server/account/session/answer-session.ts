import type { Tokens } from '#contract/account/session.ts'
import type { OpenedSession } from './sessions.ts'
import { XSRF_COOKIE } from './xsrf-token.ts'

/** `secure`: people reach us by https, and then the cookie never travels without. */
export const xsrfCookie = (secure: boolean) => ({ path: '/', sameSite: 'lax', secure, httpOnly: false }) as const

type Reply = { setCookie(name: string, value: string, options: ReturnType<typeof xsrfCookie>): unknown }

/** Answers a session that was just opened: its tokens, and its XSRF token as a cookie. */
export function answerSession(reply: Reply, session: OpenedSession, secure: boolean): Tokens {
  reply.setCookie(XSRF_COOKIE, session.xsrfToken, xsrfCookie(secure))
  return session.tokens
}
