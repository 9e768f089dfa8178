import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * Name of a cookie readable by scripts; the client repeats its value in the header `X-XSRF-TOKEN` (specification
 * section 7).
 */
export const XSRF_COOKIE = 'XSRF-TOKEN'

const seal = (sessionId: string, secret: string) =>
  createHmac('sha256', secret).update(`xsrf:${sessionId}`).digest('base64url')

/** Returns a token bound to one session: its id and an HMAC over it (R38). */
export function createXsrfToken(sessionId: string, secret: string): string {
  return `${sessionId}.${seal(sessionId, secret)}`
}

export function isValidXsrfPair(
  cookie: string | undefined,
  header: string | undefined,
  secrets: readonly string[],
): boolean {
  if (!cookie || cookie !== header) return false
  const dot = cookie.lastIndexOf('.')
  const actual = Buffer.from(cookie.slice(dot + 1))
  return secrets.some((secret) => {
    const expected = Buffer.from(seal(cookie.slice(0, Math.max(dot, 0)), secret))
    return actual.length === expected.length && timingSafeEqual(actual, expected)
  })
}
