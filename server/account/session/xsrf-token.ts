import { createHmac, timingSafeEqual } from 'node:crypto'

/** Readable cookie whose value the client repeats in the header `X-XSRF-TOKEN` (specification section 7). */
export const XSRF_COOKIE = 'XSRF-TOKEN'

const seal = (sessionId: string, secret: string) =>
  createHmac('sha256', secret).update(`xsrf:${sessionId}`).digest('base64url')

/** Token bound to one session: its id and the seal over it (R38). */
export function xsrfTokenOf(sessionId: string, secret: string): string {
  return `${sessionId}.${seal(sessionId, secret)}`
}

/** Whether a cookie and a header carry the same token and we made it. */
export function isXsrfPair(
  cookie: string | undefined,
  header: string | undefined,
  secrets: readonly string[],
): boolean {
  if (!cookie || cookie !== header) return false
  const dot = cookie.lastIndexOf('.')
  const given = Buffer.from(cookie.slice(dot + 1))
  return secrets.some((secret) => {
    const expected = Buffer.from(seal(cookie.slice(0, Math.max(dot, 0)), secret))
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}
