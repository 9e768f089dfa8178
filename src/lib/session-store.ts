/**
 * The tokens of the session, in localStorage so that /report/{id} opened in a new tab is logged in too (specification
 * section 4, C1). Expiry is counted from receipt by the token's own `exp - iat`, so a device clock that is off by a day or
 * by 543 years changes nothing (R56).
 */
export type Session = {
  readonly access: string
  /** Absent after auto-login. */
  readonly refresh?: string
  /** Entered through the demo link. */
  readonly isDemo: boolean
  /** Device clock at receipt and at the end of the access token, in milliseconds. */
  readonly receivedAtMs: number
  readonly expiresAtMs: number
}

const KEY = 'tamngan.session'

type Claims = { sub?: string; org?: string; iat?: number; exp?: number }

/** Claims of a token, unverified (only the server verifies); undefined when it is no token. */
export function readClaims(access: string): Claims | undefined {
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

/** The session of this token, counted from now; undefined when the token has no usable lifetime. */
export function sessionFrom(
  tokens: { access: string; refresh?: string },
  isDemo: boolean,
  nowMs = Date.now(),
): Session | undefined {
  const claims = readClaims(tokens.access)
  if (typeof claims?.exp !== 'number' || typeof claims.iat !== 'number' || claims.exp <= claims.iat) return undefined
  return { ...tokens, isDemo, receivedAtMs: nowMs, expiresAtMs: nowMs + (claims.exp - claims.iat) * 1000 }
}

/** What changed a session: somebody here, new tokens of the same session, its lifetime, the server that no longer knows it, or another tab. */
export type SessionCause = 'login' | 'refreshed' | 'logout' | 'expired' | 'dead' | 'elsewhere'
type Watcher = (session: Session | undefined, cause: SessionCause) => void
const watchers = new Set<Watcher>()
/** Used where the browser refuses storage: the session then lasts as long as the page. */
let inMemory: string | null = null

function readText(): string | null {
  try {
    return localStorage.getItem(KEY)
  } catch {
    return inMemory
  }
}

function writeText(text: string | null): void {
  inMemory = text
  try {
    if (text === null) localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, text)
  } catch {
    // Kept in memory above.
  }
}

function parseSession(text: string | null): Session | undefined {
  if (text === null) return undefined
  try {
    const value = JSON.parse(text) as Partial<Session>
    return typeof value.access === 'string' &&
      typeof value.expiresAtMs === 'number' &&
      typeof value.receivedAtMs === 'number'
      ? (value as Session)
      : undefined
  } catch {
    return undefined
  }
}

/** As long as the server knows a session without a sign of life (R13). */
const SLEEP_MS = 7 * 24 * 60 * 60_000
/** A device of one person: a phone, or an app that was installed. */
export const OWN_DEVICE = '(pointer: coarse), (display-mode: standalone)'
let isAway = false

/**
 * Whether there is a way to the server. Without one the session of a person's own device does not end (decision 0131); one that is over by then is renewed
 * before anything else, and new tokens take this back.
 */
export function setConnected(isThere: boolean): void {
  const session = parseSession(readText())
  if (!isThere) isAway = true
  else if (!session || Date.now() < session.expiresAtMs) isAway = false
}

/** Whether a session whose access token is over waits for the network, to be renewed then. */
function sleeps({ refresh, receivedAtMs }: Session, nowMs: number): boolean {
  isAway ||= !navigator.onLine || 'offline' in document.documentElement.dataset
  return isAway && refresh !== undefined && nowMs < receivedAtMs + SLEEP_MS && matchMedia(OWN_DEVICE).matches
}

/** The present session. An expired or unreadable one is removed and counts as logged out, unless it sleeps without a network. */
export function currentSession(nowMs = Date.now()): Session | undefined {
  const text = readText()
  const session = parseSession(text)
  // A clock set back to before receipt says nothing about the lifetime; the server decides then.
  if (session && (nowMs < session.expiresAtMs || sleeps(session, nowMs))) return session
  if (text !== null) endSession('expired')
  return undefined
}

/** A clock that differs by less is right enough, and the way of the answer is no error. */
const CLOCK_TOLERANCE_MS = 5 * 60_000

/**
 * The present moment by the server's clock: what this device shows, put right by how far off it was when the tokens came (R56). Days
 * left to a deadline are counted from it.
 */
export function serverNow(): Date {
  const session = currentSession()
  const issuedAt = session && readClaims(session.access)?.iat
  const offMs = issuedAt === undefined ? 0 : session!.receivedAtMs - issuedAt * 1000
  return new Date(Date.now() - (Math.abs(offMs) > CLOCK_TOLERANCE_MS ? offMs : 0))
}

export function startSession(session: Session): void {
  writeText(JSON.stringify(session))
  tell(session, 'login')
}

/** New tokens of the session that is running. */
export function replaceTokens(session: Session): void {
  isAway = false
  writeText(JSON.stringify(session))
  tell(session, 'refreshed')
}

/** Who is signed in, by user and organisation; undefined when nobody is. */
export function ownerOf(session: Session | undefined): string | undefined {
  const claims = session && readClaims(session.access)
  return claims && `${claims.org}/${claims.sub}`
}

/** Database of the answers that are kept for their owner (src/api/offline/kept-answers.ts). */
export const KEPT_ANSWERS = 'tamngan.answers'

/** Clears both tokens and what was kept to be read without a network; tells this tab at once and other tabs through the storage event. */
export function endSession(cause: Exclude<SessionCause, 'login' | 'refreshed'>): void {
  writeText(null)
  // Here and not beside what is kept: /login, where an expired session is found, has none of that code.
  ;(window as Partial<Window>).indexedDB?.deleteDatabase(KEPT_ANSWERS)
  tell(undefined, cause)
}

function tell(session: Session | undefined, cause: SessionCause) {
  for (const watcher of [...watchers]) watcher(session, cause)
}

/** Calls back on login and logout in this tab and in any other. Returns the function that stops it. */
export function watchSession(watcher: Watcher): () => void {
  const onStorage = (event: StorageEvent) => {
    // A null key means that the whole storage was cleared.
    if (event.key !== KEY && event.key !== null) return
    watcher(parseSession(readText()), 'elsewhere')
  }
  // A page in the back/forward cache gets no storage events: Back would show what was on it before a logout in another tab.
  const onPageShow = ({ persisted }: PageTransitionEvent) => {
    if (persisted) watcher(parseSession(readText()), 'elsewhere')
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
