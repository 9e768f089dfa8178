import { onlineManager } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { type QueueDecisionsAnswer, queueDecisionsAnswerSchema } from '#contract/report/morning-queue.ts'
import { currentSession, ownerOf, watchSession } from '#src/lib/session-store.ts'
import { watchedValue } from '#src/lib/watched-value.ts'
import { request } from '../http/client.ts'
import { suspectConnection } from '../http/connection.ts'
import { ProblemError } from '../http/problem-error.ts'
import { refetchMorningQueues } from '../report/morning-queue.ts'

/** Decisions come at the pace of a key: those of a moment go together. */
const GATHER_MS = 250
/** Tried again after 2, 4, 8 … seconds, at most every minute. */
const FIRST_RETRY_MS = 2_000
const LONGEST_RETRY_MS = 60_000
/** What one request may name: with `keepalive` its body has to stay below 64 KiB. */
const MOST_IN_CALL = 500

type Decision = { readonly loadId: number; readonly id: string; readonly decided: boolean }

/** What the server has not confirmed, in the order in which it was decided; of one project the last word alone. */
let waiting: readonly Decision[] = []
let sending: readonly Decision[] = []
let timer: ReturnType<typeof setTimeout> | undefined
let failures = 0

export type UnsentDecisions = {
  readonly count: number
  /** The last attempt failed; it is repeated by itself. */
  readonly hasFailed: boolean
}
const unsent = watchedValue<UnsentDecisions>({ count: 0, hasFailed: false })
const latestLoad = watchedValue<QueueDecisionsAnswer | undefined>(undefined)

/** Remembers on the server that a project was decided about in the queue of this load, or no longer is. Never rejects. */
export function decideInQueue(loadId: number, id: string, decided: boolean): void {
  waiting = [...waiting.filter((other) => other.id !== id || other.loadId !== loadId), { loadId, id, decided }]
  tell()
  plan(GATHER_MS)
}

/** Sends what waits now, e.g. because the tab is being left. */
export function flushQueueDecisions(): void {
  clearTimeout(timer)
  timer = undefined
  void send()
}

/** Decisions that are not safe yet. */
export function useUnsentDecisions(): UnsentDecisions {
  return useSyncExternalStore(unsent.watch, unsent.get)
}

/** The load published last, as the server told it with the last decision. */
export function useLatestLoad(): QueueDecisionsAnswer | undefined {
  return useSyncExternalStore(latestLoad.watch, latestLoad.get)
}

function tell(): void {
  const count = waiting.length + sending.length
  unsent.set({ count, hasFailed: count > 0 && failures > 0 })
  if (count > 0) window.addEventListener('beforeunload', askBeforeLeaving)
  else window.removeEventListener('beforeunload', askBeforeLeaving)
}

/** A request with `keepalive` outlives the tab; only what could not be sent at all is worth a question. */
const askBeforeLeaving = (event: BeforeUnloadEvent) => {
  flushQueueDecisions()
  if (failures > 0) event.preventDefault()
}
window.addEventListener('pagehide', flushQueueDecisions)
window.addEventListener('online', flushQueueDecisions)
onlineManager.subscribe((isOnline) => {
  if (isOnline) flushQueueDecisions()
})

function plan(ms: number): void {
  clearTimeout(timer)
  timer = setTimeout(flushQueueDecisions, ms)
}

async function send(): Promise<void> {
  // One after the other: taking back must not overtake what it takes back.
  if (sending.length > 0 || waiting.length === 0) return
  const { loadId, decided } = waiting[0]!
  const alike = waiting.findIndex((one) => one.loadId !== loadId || one.decided !== decided)
  const batch = waiting.slice(0, Math.min(alike === -1 ? waiting.length : alike, MOST_IN_CALL))
  sending = batch
  waiting = waiting.slice(batch.length)
  try {
    const answer = await request('projects/queue/decisions', {
      method: 'post',
      json: { load_id: loadId, project_ids: batch.map(({ id }) => id), decided },
      schema: queueDecisionsAnswerSchema,
      timeoutMs: 30_000,
      keepalive: true,
    })
    if (sending !== batch) return
    sending = []
    failures = 0
    latestLoad.set(answer)
    tell()
    if (waiting.length > 0) void send()
    else refetchMorningQueues()
  } catch (error) {
    if (sending !== batch) return
    sending = []
    suspectConnection(error)
    const newer = new Set(waiting.map(({ id }) => id))
    waiting = [...batch.filter(({ id }) => !newer.has(id)), ...waiting]
    failures += 1
    tell()
    // The session is over: sent when the same person is back.
    if (error instanceof ProblemError && error.status === 401) return
    plan(Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** (failures - 1)))
  }
}

let owner = ownerOf(currentSession())
watchSession((session) => {
  const next = ownerOf(session)
  if (next === undefined) return
  // Nothing of one user may be said in the name of the next.
  if (next !== owner) {
    waiting = []
    sending = []
    failures = 0
    latestLoad.set(undefined)
  }
  owner = next
  tell()
  if (waiting.length > 0) plan(0)
})

/** What was decided here and the server may not know yet, by project. */
export function unsentQueueDecisions(): ReadonlyMap<string, boolean> {
  return new Map([...sending, ...waiting].map(({ id, decided }) => [id, decided]))
}
