import { onlineManager, queryOptions, skipToken, useMutationState, useQuery } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import {
  type MorningQueue,
  type QueueDecisionsAnswer,
  queueDecisionsAnswerSchema,
} from '#contract/report/morning-queue.ts'
import { AbandonedChangeError } from '#src/api/change-keys.ts'
import { suspectConnection } from '#src/api/http/connection.ts'
import { queueKeys } from '#src/api/http/keys.ts'
import { isWorthRetrying } from '#src/api/http/problem-error.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { defineChange, mutate, pendingChanges } from '#src/api/optimistic.ts'
import type { CallForOwner } from '#src/api/outliving-calls.ts'
import { createStore } from '#src/lib/store.ts'

/** Retries after 2, 4, 8 … seconds, up to once a minute. */
const FIRST_RETRY_MS = 2_000
const LONGEST_RETRY_MS = 60_000
/** Decisions per request: a `keepalive` body must be below 64 KiB. */
const MOST_IN_CALL = 500

export type QueueDecision = { readonly loadId: number; readonly id: string; readonly decided: boolean }

const failures = createStore(0)
/** Decisions already sent in an earlier decision's batch, with the response. */
const answers = new WeakMap<QueueDecision, QueueDecisionsAnswer>()

export const queueDecisionMutation = defineChange<QueueDecision, QueueDecisionsAnswer>({
  name: 'queue',
  layers: [{ key: queueKeys.all, apply: withDecision }],
  // An undo must not overtake the decision it reverts.
  scope: 'queue',
  tags: () => ['queue'],
  isResumed: true,
  waits: 'by itself',
  message: { failed: 'บันทึกการไล่ดูไม่สำเร็จ' },
  send: async (decision, call) => answers.get(decision) ?? (await sendUntilAnswered(decision, call)),
})

/** Stores on the server whether a project of this load's queue has been decided. Never rejects. */
export function decideInQueue(loadId: number, id: string, decided: boolean): void {
  mutate(queueDecisionMutation, { loadId, id, decided }).catch(() => undefined)
}

export function withDecision(queue: MorningQueue, { loadId, id, decided }: QueueDecision): MorningQueue {
  if (queue.load_id !== loadId || !queue.sections.some(({ ids }) => ids.includes(id))) return queue
  const others = queue.decided.filter((one) => one !== id)
  return { ...queue, decided: decided ? [...others, id] : others }
}

export type UnsentDecisions = {
  readonly count: number
  readonly hasFailed: boolean
}

export function useUnsentDecisions(): UnsentDecisions {
  const { length: count } = useMutationState({
    filters: { mutationKey: queueDecisionMutation.mutationKey!, status: 'pending' },
    select: ({ mutationId }) => mutationId,
  })
  const failed = useSyncExternalStore(failures.subscribe, failures.get)
  return { count, hasFailed: count > 0 && failed > 0 }
}

const latestLoadQuery = queryOptions<QueueDecisionsAnswer>({ queryKey: queueKeys.latestLoad, queryFn: skipToken })
export const useLatestLoad = (): QueueDecisionsAnswer | undefined => useQuery(latestLoadQuery).data

/** Sends consecutive equal decisions in one request. Retries until it succeeds, is refused, or the session ends. */
async function sendUntilAnswered(decision: QueueDecision, call: CallForOwner): Promise<QueueDecisionsAnswer> {
  const { loadId, decided } = decision
  for (;;) {
    // The session may have ended during the delay.
    if (!pendingChanges(queueDecisionMutation).includes(decision)) throw new AbandonedChangeError()
    const batch = batchFrom(decision)
    try {
      const answer = await call('projects/queue/decisions', {
        method: 'post',
        json: { load_id: loadId, project_ids: [...new Set(batch.map(({ id }) => id))], decided },
        schema: queueDecisionsAnswerSchema,
      })
      failures.set(0)
      for (const one of batch) answers.set(one, answer)
      queryClient.setQueryData(latestLoadQuery.queryKey, answer)
      return answer
    } catch (error) {
      suspectConnection(error)
      failures.set(failures.get() + 1)
      if (!isWorthRetrying(error)) {
        failures.set(0)
        throw error
      }
      await retryMoment()
    }
  }
}

function batchFrom(decision: QueueDecision): readonly QueueDecision[] {
  const waiting = pendingChanges(queueDecisionMutation)
  const following = waiting.slice(waiting.indexOf(decision))
  const other = following.findIndex(({ loadId, decided }) => loadId !== decision.loadId || decided !== decision.decided)
  return following.slice(0, Math.min(other === -1 ? following.length : other, MOST_IN_CALL))
}

/** Waits with exponential backoff; resolves early when the network returns or the tab is being closed. */
function retryMoment(): Promise<void> {
  const wait = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** (failures.get() - 1))
  return new Promise((resolve) => {
    const wake = () => {
      clearTimeout(timer)
      stopListening()
      for (const event of WAKING) window.removeEventListener(event, wake)
      resolve()
    }
    const timer = setTimeout(wake, wait)
    const stopListening = onlineManager.subscribe((isOnline) => isOnline && wake())
    for (const event of WAKING) window.addEventListener(event, wake)
  })
}
const WAKING = ['online', 'pagehide', 'beforeunload']
