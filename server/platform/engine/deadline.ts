import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate as nextTick } from 'node:timers/promises'
import { QueryTimeout } from './db.ts'

/**
 * Time limit of one request. `at`: its end, in milliseconds of `performance.now()`. `isOver`: the caller already
 * received the timeout, which can be up to 1 ms before `at`. `slices`: how often the request yielded the thread.
 */
type Deadline = { readonly at: number; readonly limitMs: number; isOver: boolean; slices: number }

const present = new AsyncLocalStorage<Deadline | undefined>()

/**
 * Applies one deadline to everything that `work` starts: statements, waits and computation (R42, R49). An earlier outer
 * deadline remains in force.
 */
export function withDeadline<T>(limitMs: number, work: () => T): T {
  return present.run(deadlineIn(limitMs), work)
}

function deadlineIn(limitMs: number): Deadline {
  const at = performance.now() + limitMs
  const around = present.getStore()
  return around && around.at < at ? around : { at, limitMs, isOver: false, slices: 0 }
}

/** Runs work that also serves other requests without the current request's deadline. */
export function withoutDeadline<T>(work: () => T): T {
  return present.run(undefined, work)
}

/**
 * Returns the milliseconds left for a piece of work, at most `mostMs` (0: no limit of its own). Rounded up to whole
 * seconds, because a connection gets a new statement_timeout only when the number changes. Throws `QueryTimeout` after
 * the deadline.
 */
export function timeLeft(mostMs: number): number {
  const deadline = present.getStore()
  if (deadline === undefined) return mostMs
  const left = deadline.at - performance.now()
  if (deadline.isOver || left <= 0) throw overdue(deadline.limitMs)
  const rounded = Math.ceil(left / 1_000) * 1_000
  return mostMs === 0 ? rounded : Math.min(mostMs, rounded)
}

const overdue = (limitMs: number) => new QueryTimeout(`the question took longer than ${limitMs} ms`)

let answering = 0
/** True while any request is in progress, so that background work can back off. */
export const isAnswering = (): boolean => answering > 0

const waiting: (() => void)[] = []
let isSharing = false
const MOST_REST_MS = 20
/**
 * The first slices of a request skip the queue. A typical request has two to twelve slices of 1 ms: 200 requests/s make
 * a thousand slices, but a single queue with a pause after each slice handled only 500.
 */
const QUICK_SLICES = 24

/**
 * Yields the thread to other requests. A request within its `QUICK_SLICES` resumes in the next turn of the event loop.
 * While other requests are in progress, long computations queue: one slice runs at a time, followed by a pause as long
 * as the slice. Without the pause a slice ran before each of the thirty turns that a response needs, and a plain report
 * took 1.3 s. Throws `QueryTimeout` after the deadline. Call it in every computation of more than a few milliseconds.
 */
export async function yieldToEventLoop(): Promise<void> {
  const question = present.getStore()
  const others = answering - (question === undefined ? 0 : 1)
  if (question) question.slices += 1
  if (others > 0 && (question === undefined || question.slices > QUICK_SLICES)) await nextSlice()
  else await nextTick()
  timeLeft(0)
}

function nextSlice(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve)
    if (!isSharing) restThenGoOn(1)
  })
}

function restThenGoOn(restMs: number): void {
  isSharing = true
  setTimeout(() => {
    const goOn = waiting.shift()
    isSharing = goOn !== undefined
    if (!goOn) return
    const startedAt = performance.now()
    goOn()
    // The slice runs before the next turn of the event loop.
    setImmediate(() => restThenGoOn(Math.min(MOST_REST_MS, performance.now() - startedAt)))
  }, restMs)
}

/** Runs `work` under a deadline. Rejects with `QueryTimeout` when it passes, even if `work` waits without a limit. */
export async function answerWithin<T>(limitMs: number, work: () => T | Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const deadline = deadlineIn(limitMs)
  // Timers have millisecond resolution and can fire up to 1 ms before `at`: 120 slices ran after the response. `isOver`
  // stops work together with the response.
  const timer = setTimeout(() => {
    deadline.isOver = true
    late.reject(overdue(limitMs))
  }, limitMs)
  answering += 1
  try {
    return await Promise.race([present.run(deadline, work), late.promise])
  } finally {
    answering -= 1
    clearTimeout(timer)
  }
}
