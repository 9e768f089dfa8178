import type { Tokens } from '#contract/account/session.ts'
import type { OpenedSession } from './sessions.ts'
import { XSRF_COOKIE } from './xsrf-token.ts'

export const xsrfCookie = (secure: boolean) => ({ path: '/', sameSite: 'lax', secure, httpOnly: false }) as const

type Reply = { setCookie(name: string, value: string, options: ReturnType<typeof xsrfCookie>): unknown }

export function respondWithSession(reply: Reply, session: OpenedSession, secure: boolean): Tokens {
  reply.setCookie(XSRF_COOKIE, session.xsrfToken, xsrfCookie(secure))
  return session.tokens
}
