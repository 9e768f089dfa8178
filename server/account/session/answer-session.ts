import type { SessionTokens } from '#contract/account/session.ts'
import type { OpenedSession } from './create-sessions.ts'
import { XSRF_COOKIE } from './xsrf-token.ts'

export const xsrfCookieOptions = (secure: boolean) => ({ path: '/', sameSite: 'lax', secure, httpOnly: false }) as const

type Reply = { setCookie(name: string, value: string, options: ReturnType<typeof xsrfCookieOptions>): unknown }

export function respondWithSession(reply: Reply, session: OpenedSession, secure: boolean): SessionTokens {
  reply.setCookie(XSRF_COOKIE, session.xsrfToken, xsrfCookieOptions(secure))
  return session.tokens
}
