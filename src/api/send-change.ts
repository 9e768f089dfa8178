import { ProblemError } from '#src/lib/problem-error.ts'
import { getCurrentSession, getSessionOwner, subscribeToSession } from '#src/lib/session-store.ts'
import { nextNotification } from '#src/lib/store.ts'
import { sendApiRequest } from './http/client.ts'

/** Timeout of a change. A change that takes longer is rolled back with a retry button instead of staying unsaved. */
const CHANGE_TIMEOUT_MS = 30_000
/**
 * Limits for keepalive requests. Browsers allow 64 KiB of bodies (Fetch standard 4.6; measured in Chromium: 48 kB pass,
 * 80 kB fail), some versions 20 requests per page. Beyond our limits requests are sent without keepalive, and closing
 * the tab warns first.
 */
const MAX_KEEPALIVE = { requests: 16, bytes: 32_000 }

export type SendChangeFn = typeof sendApiRequest

const inFlight = { requests: 0, bytes: 0 }
let pendingCount = 0

/** Makes the browser warn before the tab closes while a pending change has no keepalive request. */
export function setTabCloseWarning(pending: number): void {
  pendingCount = pending
  if (pendingCount > inFlight.requests) window.addEventListener('beforeunload', confirmLeaving)
  else window.removeEventListener('beforeunload', confirmLeaving)
}
const confirmLeaving = (event: BeforeUnloadEvent) => event.preventDefault()

/** The request survives closing the tab as far as browsers allow; resent if the token was renewed meanwhile. */
export const sendChange: SendChangeFn = async (path, options) => {
  const session = getCurrentSession()
  try {
    return await keepaliveCall(path, options)
  } catch (error) {
    if (!(error instanceof ProblemError) || error.status !== 401) throw error
    // The session is ending or was renewed during the request, so wait until the outcome is known.
    if (getCurrentSession()?.access === session?.access) await nextNotification(subscribeToSession)
    const renewed = getCurrentSession()
    if (renewed === undefined || getSessionOwner(renewed) !== getSessionOwner(session)) throw error
    return await keepaliveCall(path, options)
  }
}

const keepaliveCall: SendChangeFn = async (path, options) => {
  const bytes = new TextEncoder().encode(JSON.stringify(options?.json ?? null)).length
  const keepalive = inFlight.requests < MAX_KEEPALIVE.requests && inFlight.bytes + bytes <= MAX_KEEPALIVE.bytes
  const count = (sign: 1 | -1) => {
    if (!keepalive) return
    inFlight.requests += sign
    inFlight.bytes += sign * bytes
    setTabCloseWarning(pendingCount)
  }
  count(1)
  try {
    return await sendApiRequest(path, { timeoutMs: CHANGE_TIMEOUT_MS, ...options, keepalive })
  } finally {
    count(-1)
  }
}
