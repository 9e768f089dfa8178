import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate as nextTick } from 'node:timers/promises'
import { QueryTimeout } from './db.ts'

/**
 * The time limit of one question. `at`: its end, in milliseconds of `performance.now()`. `isOver`: the caller has been told that time is up, which can be
 * up to 1 ms before `at`. `slices`: how often the question has given the thread away.
 */
type Deadline = { readonly at: number; readonly limitMs: number; isOver: boolean; slices: number }

const present = new AsyncLocalStorage<Deadline | undefined>()

/**
 * Gives everything that `work` starts one deadline: its statements, its waits, and its computing (R42, R49). An earlier outer deadline stays in
 * force.
 */
export function withDeadline<T>(limitMs: number, work: () => T): T {
  return present.run(deadlineIn(limitMs), work)
}

/** The outer deadline if it is earlier, else a new one. */
function deadlineIn(limitMs: number): Deadline {
  const at = performance.now() + limitMs
  const around = present.getStore()
  return around && around.at < at ? around : { at, limitMs, isOver: false, slices: 0 }
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
  if (deadline.isOver || left <= 0) throw overdue(deadline.limitMs)
  const rounded = Math.ceil(left / 1_000) * 1_000
  return mostMs === 0 ? rounded : Math.min(mostMs, rounded)
}

const overdue = (limitMs: number) => new QueryTimeout(`the question took longer than ${limitMs} ms`)

/** Questions that are being answered. */
let answering = 0
/** Whether somebody waits for an answer right now: work in the background can stand back. */
export const isAnswering = (): boolean => answering > 0

/** Computations that wait for their next slice, the oldest first. */
const waiting: (() => void)[] = []
let isSharing = false
/** Longest rest between two slices, ms. */
const MOST_REST_MS = 20
/**
 * The first slices of a question wait in no line. An everyday question has two to twelve, of a millisecond each: 200 requests a second are a thousand
 * slices, and one line with a rest after each slice took 500.
 */
const QUICK_SLICES = 24

/**
 * Lets other requests use the thread. A question that is still quick (`QUICK_SLICES`) goes on in the next turn of the event loop. Long computations wait in
 * one line while another question is being answered: one slice runs at a time, and the thread then rests for as long as the slice took. Without the rest a
 * slice came before each of the thirty turns that an answer needs, and a plain report took 1.3 s. Throws `QueryTimeout` after the deadline. Call it in every computation of more than a few milliseconds.
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

/** Runs `work` under a deadline. Rejects with `QueryTimeout` when the time is over, even if `work` waits for something without a limit. */
export async function answerWithin<T>(limitMs: number, work: () => T | Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const deadline = deadlineIn(limitMs)
  // A timer counts whole milliseconds, so it can fire up to 1 ms before `at`: 120 slices ran after the answer. Work ends with the answer.
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
