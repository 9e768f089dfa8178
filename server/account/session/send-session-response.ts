import type { SessionTokens } from '#contract/account/session.ts'
import type { OpenedSession } from './create-sessions.ts'
import { XSRF_COOKIE } from './xsrf-token.ts'

export const createXsrfCookieOptions = (secure: boolean) =>
  ({ path: '/', sameSite: 'lax', secure, httpOnly: false }) as const

type Reply = { setCookie(name: string, value: string, options: ReturnType<typeof createXsrfCookieOptions>): unknown }

export function sendSessionResponse(reply: Reply, session: OpenedSession, secure: boolean): SessionTokens {
  reply.setCookie(XSRF_COOKIE, session.xsrfToken, createXsrfCookieOptions(secure))
  return session.tokens
}
