import { onlineManager } from '@tanstack/react-query'
import { pausedReads } from '#src/lib/paused-reads.ts'
import { setConnected } from '#src/lib/session-store.ts'
import { createStore } from '#src/lib/store.ts'
import { isUnreachable, ProblemError } from './problem-error.ts'
import { queryClient } from './query-client.ts'

/** How the way to the server is. `offline`: the device says so; `unreachable`: no answer comes; `away`: it answers that it cannot serve. */
export type Connection =
  | { readonly state: 'up' }
  | { readonly state: 'offline' | 'unreachable' | 'away'; readonly retryAtMs: number }
  /** Too many requests: what was refused is asked for again at that time. */
  | { readonly state: 'limited'; readonly retryAtMs: number }
  /** Answers come again; `isCurrent` once what was on the screen has been asked for anew. */
  | { readonly state: 'back'; readonly isCurrent: boolean }

export const connection = createStore<Connection>({ state: 'up' })

/** Longest wait for the answer of `/readyz`, which the server gives within two seconds (R48). */
const PROBE_MS = 5000
/** Asked again after 2, 4, 8, 15, 15 … seconds, or when the server says, and up to half as long again: all tabs of a country come back together. */
const FIRST_WAIT_MS = 2000
const LONGEST_WAIT_MS = 15_000
const JITTER = 0.5
/** The server has just said that it is there: a failure within this time is one of the call. */
const TRUSTED_MS = 2000
/** How long it is said that everything is as before. */
const BACK_MS = 5000

const isDown = ({ state }: Connection) => state === 'offline' || state === 'unreachable' || state === 'away'

let isFollowed = false
let isProbing = false
let isSuspected = false
let failures = 0
let upAtMs = Number.NEGATIVE_INFINITY
let timer: ReturnType<typeof setTimeout> | undefined

/** A call failed in a way that may mean that the server is away; it is asked itself before anybody says so. */
export function suspectConnection(error: unknown): void {
  if (!isUnreachable(error) || isDown(connection.get()) || performance.now() - upAtMs <= TRUSTED_MS) return
  // The first answers of a page may fail before anybody watches.
  isSuspected = !isFollowed
  void probe()
}

/** Asks now whether the server is there, whatever the countdown says. */
export async function probe(): Promise<void> {
  if (!isFollowed || isProbing) return
  isProbing = true
  clearTimeout(timer)
  const found = await look()
  isProbing = false
  if (!isFollowed) return
  if (found) goDown(found)
  else comeUp()
}

type Down = { readonly state: 'offline' | 'unreachable' | 'away'; readonly waitMs: number }

async function look(): Promise<Down | undefined> {
  try {
    const response = await fetch(new URL('/readyz', location.origin), {
      cache: 'no-store',
      signal: AbortSignal.timeout(PROBE_MS),
    })
    // A proxy that keeps this address to itself is an answer too.
    if (response.status < 500) return undefined
    return { state: 'away', waitMs: 1000 * (Number(response.headers.get('retry-after')) || 0) }
  } catch {
    return { state: navigator.onLine ? 'unreachable' : 'offline', waitMs: 0 }
  }
}

function goDown({ state, waitMs }: Down): void {
  const least = Math.max(waitMs, Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** failures))
  failures += 1
  const wait = least * (1 + Math.random() * JITTER)
  // Reads wait instead of failing one by one; they go on when this is taken back.
  onlineManager.setOnline(false)
  pausedReads.set(true)
  setConnected(false)
  connection.set({ state, retryAtMs: Date.now() + wait })
  timer = setTimeout(() => {
    // Who looks at it asks when they are back.
    if (document.visibilityState === 'visible') void probe()
  }, wait)
}

function comeUp(): void {
  failures = 0
  upAtMs = performance.now()
  const before = connection.get()
  // Doubt alone: what the timer would have taken back is taken back now.
  if (!isDown(before)) {
    if (before.state !== 'up') connection.set({ state: 'up' })
    return
  }
  delete document.documentElement.dataset.offline
  setConnected(true)
  connection.set({ state: 'back', isCurrent: false })
  // What is stale on the screen is asked for again, once; what waited goes on.
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
  timer = setTimeout(() => connection.set({ state: 'up' }), BACK_MS)
}

function limit(seconds: number): void {
  const { state } = connection.get()
  if (state !== 'up' && state !== 'limited') return
  clearTimeout(timer)
  connection.set({ state: 'limited', retryAtMs: Date.now() + seconds * 1000 })
  timer = setTimeout(() => connection.set({ state: 'up' }), seconds * 1000)
}

/** Watches the reads and the device until the function that it returns is called. */
export function followConnection(): () => void {
  isFollowed = true
  // "online" only means that there is a network: the server has the word.
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
      limit(error.retryAfterSeconds ?? 1)
    else suspectConnection(error)
  })
  window.addEventListener('offline', onOffline)
  window.addEventListener('online', onReturn)
  document.addEventListener('visibilitychange', onReturn)
  if (!navigator.onLine) onOffline()
  else if (isSuspected) void probe()
  isSuspected = false
  return () => {
    isFollowed = false
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
