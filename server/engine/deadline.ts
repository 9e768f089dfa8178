import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate as nextTick } from 'node:timers/promises'
import { QueryTimeout } from './db.ts'

/** When the running work must be done; milliseconds of `performance.now()`. */
type Deadline = { readonly at: number; readonly limitMs: number }

const present = new AsyncLocalStorage<Deadline | undefined>()

/**
 * Gives everything that `work` starts one deadline: its statements, its waits, and its computing (R42, R49). An earlier outer deadline stays in
 * force.
 */
export function withDeadline<T>(limitMs: number, work: () => T): T {
  const at = performance.now() + limitMs
  const around = present.getStore()
  return present.run(around && around.at < at ? around : { at, limitMs }, work)
}

/** Runs work that also serves others without the deadline of the request that happened to start it. */
export function withoutDeadline<T>(work: () => T): T {
  return present.run(undefined, work)
}

/**
 * Milliseconds left for a piece of work, at most `mostMs` (0: no limit of its own). Rounded up to whole seconds, because a connection gets a new
 * limit only when the number changes. Throws `QueryTimeout` after the deadline.
 */
export function timeLeft(mostMs: number): number {
  const deadline = present.getStore()
  if (deadline === undefined) return mostMs
  const left = deadline.at - performance.now()
  if (left <= 0) throw overdue(deadline)
  const rounded = Math.ceil(left / 1_000) * 1_000
  return mostMs === 0 ? rounded : Math.min(mostMs, rounded)
}

const overdue = ({ limitMs }: Deadline) => new QueryTimeout(`the question took longer than ${limitMs} ms`)

/** Lets other requests use the thread. Throws `QueryTimeout` after the deadline. Call it in every computation of more than a few milliseconds. */
export async function yieldToEventLoop(): Promise<void> {
  await nextTick()
  timeLeft(0)
}

/** Runs `work` under a deadline. Rejects with `QueryTimeout` when the time is over, even if `work` waits for something without a limit. */
export async function answerWithin<T>(limitMs: number, work: () => T | Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(overdue({ at: 0, limitMs })), limitMs)
  try {
    return await Promise.race([withDeadline(limitMs, work), late.promise])
  } finally {
    clearTimeout(timer)
  }
}
