import { createStoredText } from './web-storage.ts'

/**
 * Tokens of the session, in localStorage so that /report/{id} opened in a new tab is logged in too (specification
 * section 4, C1). The expiry is computed from the time of receipt and the token's `exp - iat`, so a device clock that
 * is off by a day or by 543 years does not matter (R56).
 */
export type Session = {
  readonly access: string
  /** The refresh token; absent after an automatic login. */
  readonly refresh?: string
  readonly isDemo: boolean
  /** Times by the device clock at which the tokens were received and at which the access token expires. */
  readonly receivedAtMs: number
  readonly expiresAtMs: number
}

const SESSION_KEY = 'tamngan.session'
const stored = createStoredText('localStorage', SESSION_KEY)

type Claims = { sub?: string; org?: string; iat?: number; exp?: number }

/** Returns the claims of a token without verifying it (only the server does); undefined if malformed. */
export function parseTokenClaims(access: string): Claims | undefined {
  const payload = access.split('.')[1]
  if (!payload) return undefined
  try {
    const bytes = Uint8Array.from(atob(payload.replace(/-/g, '+').replace(/_/g, '/')), (char) => char.charCodeAt(0))
    const claims: unknown = JSON.parse(new TextDecoder().decode(bytes))
    return typeof claims === 'object' && claims !== null ? claims : undefined
  } catch {
    return undefined
  }
}

export function toSession(
  tokens: { access: string; refresh?: string },
  isDemo: boolean,
  nowMs = Date.now(),
): Session | undefined {
  const claims = parseTokenClaims(tokens.access)
  if (typeof claims?.exp !== 'number' || typeof claims.iat !== 'number' || claims.exp <= claims.iat) return undefined
  return { ...tokens, isDemo, receivedAtMs: nowMs, expiresAtMs: nowMs + (claims.exp - claims.iat) * 1000 }
}

/** `expired`: by time; `dead`: rejected by the server; `elsewhere`: changed by another tab. */
export type SessionChangeCause = 'login' | 'refreshed' | 'logout' | 'expired' | 'dead' | 'elsewhere'
type Watcher = (session: Session | undefined, cause: SessionChangeCause) => void
const watchers = new Set<Watcher>()

function parseSession(text: string | null): Session | undefined {
  try {
    const value = JSON.parse(text ?? '') as Partial<Session>
    return typeof value.access === 'string' &&
      typeof value.expiresAtMs === 'number' &&
      typeof value.receivedAtMs === 'number'
      ? (value as Session)
      : undefined
  } catch {
    return undefined
  }
}

/** Time after which the server drops an idle session (R13). */
const MAX_IDLE_MS = 7 * 24 * 60 * 60_000
export const PERSONAL_DEVICE_MEDIA_QUERY = '(pointer: coarse), (display-mode: standalone)'
let isServerAway = false

/**
 * Sets whether the server is reachable. While it is not, sessions on personal devices do not expire (decision 0131). A
 * session that expired meanwhile stays dormant until it has been renewed.
 */
export function setServerReachable(isConnected: boolean): void {
  const session = parseSession(stored.read())
  if (!isConnected) isServerAway = true
  else if (!session || Date.now() < session.expiresAtMs) isServerAway = false
}

function isDormant({ refresh, receivedAtMs }: Session, nowMs: number): boolean {
  isServerAway ||= !navigator.onLine || 'offline' in document.documentElement.dataset
  return (
    isServerAway &&
    refresh !== undefined &&
    nowMs < receivedAtMs + MAX_IDLE_MS &&
    matchMedia(PERSONAL_DEVICE_MEDIA_QUERY).matches
  )
}

/** Returns the session. Removes an expired or malformed one, which counts as logout, unless it is dormant offline. */
export function getCurrentSession(nowMs = Date.now()): Session | undefined {
  const text = stored.read()
  const session = parseSession(text)
  // A device clock set back to before the receipt does not expire the session; the server decides.
  if (session && (nowMs < session.expiresAtMs || isDormant(session, nowMs))) return session
  if (text !== null) endSession('expired')
  return undefined
}

/** Clock differences below this are ignored, because they include network latency. */
const CLOCK_TOLERANCE_MS = 5 * 60_000

/** The device time corrected by its offset when the tokens arrived (R56). Base for days left until a deadline. */
export function getServerTime(): Date {
  const session = getCurrentSession()
  const issuedAt = session && parseTokenClaims(session.access)?.iat
  const offsetMs = issuedAt === undefined ? 0 : session!.receivedAtMs - issuedAt * 1000
  return new Date(Date.now() - (Math.abs(offsetMs) > CLOCK_TOLERANCE_MS ? offsetMs : 0))
}

export function startSession(session: Session): void {
  stored.write(JSON.stringify(session))
  notifyWatchers(session, 'login')
}

export function replaceSessionTokens(session: Session): void {
  isServerAway = false
  stored.write(JSON.stringify(session))
  notifyWatchers(session, 'refreshed')
}

export function getSessionOwner(session: Session | undefined): string | undefined {
  const claims = session && parseTokenClaims(session.access)
  return claims && `${claims.org}/${claims.sub}`
}

export const STORED_RESPONSES_DB_NAME = 'tamngan.answers'

/** Deletes tokens and offline data. Notifies this tab directly; other tabs are notified by the storage event. */
export function endSession(cause: Exclude<SessionChangeCause, 'login' | 'refreshed'>): void {
  stored.write(null)
  // Deleted here, because /login, which detects expired sessions, does not load the offline code.
  ;(window as Partial<Window>).indexedDB?.deleteDatabase(STORED_RESPONSES_DB_NAME)
  notifyWatchers(undefined, cause)
}

function notifyWatchers(session: Session | undefined, cause: SessionChangeCause) {
  for (const watcher of [...watchers]) watcher(session, cause)
}

export function subscribeToSession(watcher: Watcher): () => void {
  const onStorage = (event: StorageEvent) => {
    // A null key means that the whole storage was cleared.
    if (event.key !== SESSION_KEY && event.key !== null) return
    watcher(parseSession(stored.read()), 'elsewhere')
  }
  // Pages in the back/forward cache get no storage events, so Back would show content from before a logout.
  const onPageShow = ({ persisted }: PageTransitionEvent) => {
    if (persisted) watcher(parseSession(stored.read()), 'elsewhere')
  }
  watchers.add(watcher)
  window.addEventListener('storage', onStorage)
  window.addEventListener('pageshow', onPageShow)
  return () => {
    watchers.delete(watcher)
    window.removeEventListener('storage', onStorage)
    window.removeEventListener('pageshow', onPageShow)
  }
}
