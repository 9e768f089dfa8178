import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate as nextTick } from 'node:timers/promises'
import { QueryTimeout } from './db.ts'

/** When the running work must be done; milliseconds of `performance.now()`. */
type Deadline = { readonly at: number; readonly limitMs: number }

const present = new AsyncLocalStorage<Deadline | undefined>()

/**
 * Gives everything that `work` starts one time limit: its statements, what it waits for, and what it computes between them (R42, R49). Within an
 * earlier deadline the earlier one holds.
 */
export function withDeadline<T>(limitMs: number, work: () => T): T {
  const at = performance.now() + limitMs
  const around = present.getStore()
  return present.run(around && around.at < at ? around : { at, limitMs }, work)
}

/** What serves others too, or is not the asker's own, is not cut because one who asked has no time left. */
export function withoutDeadline<T>(work: () => T): T {
  return present.run(undefined, work)
}

/**
 * Milliseconds that a piece of work may take, `mostMs` at most (0: no limit of its own). In whole seconds, rounded up: a connection is told its limit
 * only when that changes. Throws `QueryTimeout` when the time is over.
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

/** Lets other requests have the thread, and throws `QueryTimeout` when the time of this one is over: for computing that takes longer than some milliseconds. */
export async function yieldToEventLoop(): Promise<void> {
  await nextTick()
  timeLeft(0)
}

/** `work` under a deadline; rejects with `QueryTimeout` at that moment also where it waits for something that has no limit. */
export async function answerWithin<T>(limitMs: number, work: () => T | Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(overdue({ at: 0, limitMs })), limitMs)
  try {
    return await Promise.race([withDeadline(limitMs, work), late.promise])
  } finally {
    clearTimeout(timer)
  }
}
