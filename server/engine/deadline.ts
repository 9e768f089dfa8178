import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate as nextTick } from 'node:timers/promises'
import { QueryTimeout } from './db.ts'

/**
 * When the running work must be done; milliseconds of `performance.now()`. `isOver`: the asker was told, which can come before `at`. `slices`: how often
 * its computing gave the thread away.
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
 * So many slices of a question do not rest. An everyday question has two to twelve of a millisecond, and with a rest after each, one question at a time,
 * eight of them together used a thread for half of its time: 200 requests a second were too many for it.
 */
const QUICK_SLICES = 24

/**
 * Lets other requests use the thread. While another question is being answered, all long computations together get one slice at a time, and after each
 * slice the thread is free for as long as the slice took: an answer needs some thirty turns of the event loop, and a slice before each of them held a plain
 * report for 1.3 s. Throws `QueryTimeout` after the deadline. Call it in every computation of more than a few milliseconds.
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
