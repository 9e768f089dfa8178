import { onlineManager } from '@tanstack/react-query'
import { isServerUnreachableError, ProblemError } from '#src/lib/problem-error.ts'
import { queriesPausedStore } from '#src/lib/queries-paused-store.ts'
import { setServerReachable } from '#src/lib/session-store.ts'
import { createExternalStore } from '#src/lib/store.ts'
import { queryClient } from './query-client.ts'

/** `offline`: reported by the device; `unreachable`: no response; `away`: the server is unavailable. */
export type ConnectionStatus =
  | { readonly state: 'up' }
  | { readonly state: 'offline' | 'unreachable' | 'away'; readonly retryAtMs: number }
  /** Too many requests; refused reads are retried at `retryAtMs`. */
  | { readonly state: 'limited'; readonly retryAtMs: number }
  /** Connected again; `isCurrent` is true once all visible data is refetched. */
  | { readonly state: 'back'; readonly isCurrent: boolean }

export const connectionStore = createExternalStore<ConnectionStatus>({ state: 'up' })

/** Timeout of a probe, well above the two seconds within which the server answers `/readyz` (R48). */
const PROBE_TIMEOUT_MS = 5000
/** 2, 4, 8, 15, 15 … seconds or as the server requests, plus up to 50 % jitter so that clients spread out. */
const FIRST_WAIT_MS = 2000
const MAX_WAIT_MS = 15_000
const JITTER = 0.5
/** For this long after a successful probe, a failed call does not count as an outage and triggers no probe. */
const TRUSTED_MS = 2000
const BACK_NOTICE_MS = 5000

const isDown = ({ state }: ConnectionStatus) => state === 'offline' || state === 'unreachable' || state === 'away'

let isWatching = false
let isProbing = false
let isSuspected = false
let failures = 0
let upAtMs = Number.NEGATIVE_INFINITY
let timer: ReturnType<typeof setTimeout> | undefined

/** Probes the server after a failure that may mean an outage; reports an outage only if the probe fails too. */
export function probeConnectionAfterFailure(error: unknown): void {
  if (!isServerUnreachableError(error) || isDown(connectionStore.get()) || performance.now() - upAtMs <= TRUSTED_MS)
    return
  // Requests may fail before `startWatchingConnection` runs, so record the suspected outage for it to probe.
  isSuspected = !isWatching
  void probeConnection()
}

export async function probeConnection(): Promise<void> {
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
    // A proxy may block this path, but even its refusal proves that there is a connection.
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
  // Pause reads so that they do not all fail; they resume on `setOnline(true)`.
  onlineManager.setOnline(false)
  queriesPausedStore.set(true)
  setServerReachable(false)
  connectionStore.set({ state, retryAtMs: Date.now() + delayMs })
  timer = setTimeout(() => {
    if (document.visibilityState === 'visible') void probeConnection()
  }, delayMs)
}

function goUp(): void {
  failures = 0
  upAtMs = performance.now()
  const previous = connectionStore.get()
  // The state was `limited` or `back`, not down, so reset it now without waiting for its timer.
  if (!isDown(previous)) {
    if (previous.state !== 'up') connectionStore.set({ state: 'up' })
    return
  }
  delete document.documentElement.dataset.offline
  setServerReachable(true)
  connectionStore.set({ state: 'back', isCurrent: false })
  onlineManager.setOnline(true)
  queriesPausedStore.set(false)
  setTimeout(announceWhenCurrent)
}

function announceWhenCurrent(): void {
  if (connectionStore.get().state !== 'back') return
  if (queryClient.isFetching({ type: 'active' }) > 0) {
    timer = setTimeout(announceWhenCurrent, 200)
    return
  }
  connectionStore.set({ state: 'back', isCurrent: true })
  timer = setTimeout(() => connectionStore.set({ state: 'up' }), BACK_NOTICE_MS)
}

function showRateLimit(seconds: number): void {
  const { state } = connectionStore.get()
  if (state !== 'up' && state !== 'limited') return
  clearTimeout(timer)
  connectionStore.set({ state: 'limited', retryAtMs: Date.now() + seconds * 1000 })
  timer = setTimeout(() => connectionStore.set({ state: 'up' }), seconds * 1000)
}

export function startWatchingConnection(): () => void {
  isWatching = true
  // The browser's "online" event only means that there is a network, so rely on probes instead.
  onlineManager.setEventListener(() => undefined)
  const onOffline = () => {
    if (isDown(connectionStore.get())) return
    clearTimeout(timer)
    goDown({ state: 'offline', waitMs: 0 })
  }
  const onReturn = () => {
    if (document.visibilityState === 'visible' && isDown(connectionStore.get())) void probeConnection()
  }
  const stopWatching = queryClient.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated') return
    const { action } = event
    if (action.type !== 'failed' && action.type !== 'error') return
    const error: unknown = action.error
    if (action.type === 'failed' && error instanceof ProblemError && error.status === 429)
      showRateLimit(error.retryAfterSeconds ?? 1)
    else probeConnectionAfterFailure(error)
  })
  window.addEventListener('offline', onOffline)
  window.addEventListener('online', onReturn)
  document.addEventListener('visibilitychange', onReturn)
  if (!navigator.onLine) onOffline()
  else if (isSuspected) void probeConnection()
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
    queriesPausedStore.set(false)
    connectionStore.set({ state: 'up' })
  }
}
