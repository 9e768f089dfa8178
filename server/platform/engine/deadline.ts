import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate as nextTick } from 'node:timers/promises'
import { QueryTimeoutError } from './db.ts'

/**
 * Time limit of one request. `at` is its end, in milliseconds of `performance.now()`. `isOver`: the caller already
 * received the timeout, up to 1 ms before `at`. `slices`: how often the request has yielded the thread.
 */
type Deadline = { readonly at: number; readonly limitMs: number; isOver: boolean; slices: number }

const currentDeadline = new AsyncLocalStorage<Deadline | undefined>()

/**
 * Applies one deadline to everything that `work` starts: statements, waits and computation (R42, R49). An earlier outer
 * deadline remains in force.
 */
export function withDeadline<T>(limitMs: number, work: () => T): T {
  return currentDeadline.run(deadlineIn(limitMs), work)
}

function deadlineIn(limitMs: number): Deadline {
  const at = performance.now() + limitMs
  const outer = currentDeadline.getStore()
  return outer && outer.at < at ? outer : { at, limitMs, isOver: false, slices: 0 }
}

/** Runs `work` without the current request's deadline, because its result also serves other requests. */
export function withoutDeadline<T>(work: () => T): T {
  return currentDeadline.run(undefined, work)
}

/**
 * Like `withoutDeadline`, for work that a request waits for: it runs without the pause that background work makes after
 * each slice. Those pauses doubled the time of the first search for a word.
 */
export function withoutDeadlineForRequest<T>(work: () => T): T {
  const never = Number.POSITIVE_INFINITY
  return currentDeadline.run({ at: never, limitMs: never, isOver: false, slices: 0 }, work)
}

/**
 * Returns the milliseconds left for a piece of work, at most `maxMs` (0: the work has no limit besides the deadline).
 * Rounded up to whole seconds, because a connection gets a new statement_timeout only when the number changes. Throws
 * `QueryTimeoutError` after the deadline.
 */
export function getRemainingTimeMs(maxMs: number): number {
  const deadline = currentDeadline.getStore()
  if (deadline === undefined || deadline.at === Number.POSITIVE_INFINITY) return maxMs
  const remainingMs = deadline.at - performance.now()
  if (deadline.isOver || remainingMs <= 0) throw overdue(deadline.limitMs)
  const rounded = Math.ceil(remainingMs / 1_000) * 1_000
  return maxMs === 0 ? rounded : Math.min(maxMs, rounded)
}

const overdue = (limitMs: number) => new QueryTimeoutError(`the request exceeded its time limit of ${limitMs} ms`)

let activeRequests = 0
export const hasActiveRequests = (): boolean => activeRequests > 0

const waiting: (() => void)[] = []
let isSharing = false
const MAX_COOLDOWN_MS = 20
/**
 * Number of slices that a request may run without queueing. A typical request has two to twelve slices of 1 ms, so 200
 * requests/s make a thousand slices; a single queue with a pause after each slice handled only 500 per second.
 */
const QUICK_SLICES = 24

/**
 * Yields the thread to other requests. A request within its `QUICK_SLICES` resumes in the next turn of the event loop.
 * While other requests are in progress, long computations queue: one slice runs at a time, followed by a pause as long
 * as the slice. Without the pause, a slice ran before each of the thirty turns that a response needs, and a plain
 * report took 1.3 s. Throws `QueryTimeoutError` after the deadline. Call this in every computation of more than a few
 * milliseconds.
 */
export async function yieldToEventLoop(): Promise<void> {
  const deadline = currentDeadline.getStore()
  const otherRequests = activeRequests - (deadline === undefined ? 0 : 1)
  if (deadline) deadline.slices += 1
  if (otherRequests > 0 && (deadline === undefined || deadline.slices > QUICK_SLICES)) await nextSlice()
  else await nextTick()
  getRemainingTimeMs(0)
}

function nextSlice(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve)
    if (!isSharing) resumeAfterCooldown(1)
  })
}

function resumeAfterCooldown(cooldownMs: number): void {
  isSharing = true
  setTimeout(() => {
    const resume = waiting.shift()
    isSharing = resume !== undefined
    if (!resume) return
    const startedAt = performance.now()
    resume()
    // The resumed slice runs before the next turn of the event loop, so its duration is known there.
    setImmediate(() => resumeAfterCooldown(Math.min(MAX_COOLDOWN_MS, performance.now() - startedAt)))
  }, cooldownMs)
}

/**
 * Runs `work` under a deadline. Rejects with `QueryTimeoutError` when the deadline passes, even if `work` is still waiting.
 */
export async function runUntilDeadline<T>(limitMs: number, work: () => T | Promise<T>): Promise<T> {
  const timeout = Promise.withResolvers<never>()
  const deadline = deadlineIn(limitMs)
  // `isOver` stops the work: the timer can fire 1 ms before `at`, and 120 slices ran after the response in that time.
  const timer = setTimeout(() => {
    deadline.isOver = true
    timeout.reject(overdue(limitMs))
  }, limitMs)
  activeRequests += 1
  try {
    return await Promise.race([currentDeadline.run(deadline, work), timeout.promise])
  } finally {
    activeRequests -= 1
    clearTimeout(timer)
  }
}
