import { onlineManager } from '@tanstack/react-query'
import { pausedReads } from '#src/lib/paused-reads.ts'
import { setConnected } from '#src/lib/session-store.ts'
import { createStore } from '#src/lib/store.ts'
import { isUnreachable, ProblemError } from './problem-error.ts'
import { queryClient } from './query-client.ts'

/**
 * Connection to the server. `offline`: reported by the device; `unreachable`: no response; `away`: the server responds
 * that it is unavailable.
 */
export type Connection =
  | { readonly state: 'up' }
  | { readonly state: 'offline' | 'unreachable' | 'away'; readonly retryAtMs: number }
  /** Too many requests; refused reads are retried at that time. */
  | { readonly state: 'limited'; readonly retryAtMs: number }
  /** Connected again; `isCurrent` once all visible data is refetched. */
  | { readonly state: 'back'; readonly isCurrent: boolean }

export const connection = createStore<Connection>({ state: 'up' })

/** The server answers `/readyz` within two seconds (R48). */
const PROBE_TIMEOUT_MS = 5000
/**
 * Probe intervals 2, 4, 8, 15, 15 … seconds or as the server requests, plus up to 50 % jitter so that clients do not
 * return all at once.
 */
const FIRST_WAIT_MS = 2000
const MAX_WAIT_MS = 15_000
const JITTER = 0.5
/** Within this time after a successful probe, a failure concerns only that call. */
const TRUSTED_MS = 2000
const BACK_NOTICE_MS = 5000

const isDown = ({ state }: Connection) => state === 'offline' || state === 'unreachable' || state === 'away'

let isWatching = false
let isProbing = false
let isSuspected = false
let failures = 0
let upAtMs = Number.NEGATIVE_INFINITY
let timer: ReturnType<typeof setTimeout> | undefined

/** Probes the server after a failure that may mean an outage; reports an outage only if the probe fails too. */
export function suspectConnection(error: unknown): void {
  if (!isUnreachable(error) || isDown(connection.get()) || performance.now() - upAtMs <= TRUSTED_MS) return
  // The first requests of a page may fail before `watchConnection` runs.
  isSuspected = !isWatching
  void probe()
}

export async function probe(): Promise<void> {
  if (!isWatching || isProbing) return
  isProbing = true
  clearTimeout(timer)
  const down = await checkReadiness()
  isProbing = false
  if (!isWatching) return
  if (down) goDown(down)
  else goUp()
}

type Down = { readonly state: 'offline' | 'unreachable' | 'away'; readonly waitMs: number }

async function checkReadiness(): Promise<Down | undefined> {
  try {
    const response = await fetch(new URL('/readyz', location.origin), {
      cache: 'no-store',
      signal: AbortSignal.timeout(PROBE_TIMEOUT_MS),
    })
    // A proxy may block this path; its response still proves a connection.
    if (response.status < 500) return undefined
    return { state: 'away', waitMs: 1000 * (Number(response.headers.get('retry-after')) || 0) }
  } catch {
    return { state: navigator.onLine ? 'unreachable' : 'offline', waitMs: 0 }
  }
}

function goDown({ state, waitMs }: Down): void {
  const minWaitMs = Math.max(waitMs, Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** failures))
  failures += 1
  const delayMs = minWaitMs * (1 + Math.random() * JITTER)
  // Pause reads instead of letting each fail; they resume on `setOnline(true)`.
  onlineManager.setOnline(false)
  pausedReads.set(true)
  setConnected(false)
  connection.set({ state, retryAtMs: Date.now() + delayMs })
  timer = setTimeout(() => {
    if (document.visibilityState === 'visible') void probe()
  }, delayMs)
}

function goUp(): void {
  failures = 0
  upAtMs = performance.now()
  const previous = connection.get()
  // The state was `limited` or `back`, not down: reset it now instead of when its timer ends.
  if (!isDown(previous)) {
    if (previous.state !== 'up') connection.set({ state: 'up' })
    return
  }
  delete document.documentElement.dataset.offline
  setConnected(true)
  connection.set({ state: 'back', isCurrent: false })
  onlineManager.setOnline(true)
  pausedReads.set(false)
  setTimeout(announceWhenCurrent)
}

function announceWhenCurrent(): void {
  if (connection.get().state !== 'back') return
  if (queryClient.isFetching({ type: 'active' }) > 0) {
    timer = setTimeout(announceWhenCurrent, 200)
    return
  }
  connection.set({ state: 'back', isCurrent: true })
  timer = setTimeout(() => connection.set({ state: 'up' }), BACK_NOTICE_MS)
}

function showRateLimit(seconds: number): void {
  const { state } = connection.get()
  if (state !== 'up' && state !== 'limited') return
  clearTimeout(timer)
  connection.set({ state: 'limited', retryAtMs: Date.now() + seconds * 1000 })
  timer = setTimeout(() => connection.set({ state: 'up' }), seconds * 1000)
}

export function watchConnection(): () => void {
  isWatching = true
  // The browser's "online" event only means that there is a network, so rely on probes instead.
  onlineManager.setEventListener(() => undefined)
  const onOffline = () => {
    if (isDown(connection.get())) return
    clearTimeout(timer)
    goDown({ state: 'offline', waitMs: 0 })
  }
  const onReturn = () => {
    if (document.visibilityState === 'visible' && isDown(connection.get())) void probe()
  }
  const stopWatching = queryClient.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated') return
    const { action } = event
    if (action.type !== 'failed' && action.type !== 'error') return
    const error: unknown = action.error
    if (action.type === 'failed' && error instanceof ProblemError && error.status === 429)
      showRateLimit(error.retryAfterSeconds ?? 1)
    else suspectConnection(error)
  })
  window.addEventListener('offline', onOffline)
  window.addEventListener('online', onReturn)
  document.addEventListener('visibilitychange', onReturn)
  if (!navigator.onLine) onOffline()
  else if (isSuspected) void probe()
  isSuspected = false
  return () => {
    isWatching = false
    isProbing = false
    failures = 0
    upAtMs = Number.NEGATIVE_INFINITY
    clearTimeout(timer)
    stopWatching()
    window.removeEventListener('offline', onOffline)
    window.removeEventListener('online', onReturn)
    document.removeEventListener('visibilitychange', onReturn)
    onlineManager.setOnline(true)
    pausedReads.set(false)
    connection.set({ state: 'up' })
  }
}
