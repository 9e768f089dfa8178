import { onlineManager, queryOptions, skipToken, useMutationState, useQuery } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import {
  type MorningQueue,
  type MorningQueueDecisionsResponse,
  morningQueueDecisionsResponseSchema,
} from '#contract/report/morning-queue.ts'
import { probeConnectionAfterFailure } from '#src/api/http/connection.ts'
import { morningQueueKeys, reportKeys } from '#src/api/http/keys.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import {
  AbandonedChangeError,
  defineOptimisticChange,
  listPendingChanges,
  runOptimisticChange,
} from '#src/api/optimistic-changes.ts'
import type { SendChangeFn } from '#src/api/send-change.ts'
import { isRetryableError } from '#src/lib/problem-error.ts'
import { createExternalStore } from '#src/lib/store.ts'
import { recordSeenProject } from '#src/report/first-steps/first-steps-store.ts'

const FIRST_RETRY_MS = 2_000
const MAX_RETRY_MS = 60_000
/** Maximum decisions per request, because a `keepalive` body must be below 64 KiB. */
const MAX_BATCH_SIZE = 500

type MorningQueueDecision = { readonly loadId: number; readonly id: string; readonly decided: boolean }

const failures = createExternalStore(0)
/** Responses for decisions that were already sent in the batch of an earlier decision. */
const batchedResponses = new WeakMap<MorningQueueDecision, MorningQueueDecisionsResponse>()

const morningQueueDecisionMutation = defineOptimisticChange<MorningQueueDecision, MorningQueueDecisionsResponse>({
  name: 'queue',
  layers: [{ key: morningQueueKeys.all, apply: applyMorningQueueDecision }],
  scope: 'queue',
  tags: () => ['queue'],
  isResumed: true,
  queuesOffline: 'by itself',
  message: { failed: 'บันทึกการไล่ดูไม่สำเร็จ' },
  send: async (decision, call) => batchedResponses.get(decision) ?? (await sendWithRetries(decision, call)),
})

export function setMorningQueueDecision(loadId: number, id: string, decided: boolean): void {
  if (decided) recordSeenProject(id)
  runOptimisticChange(morningQueueDecisionMutation, { loadId, id, decided }).catch(() => undefined)
}

function applyMorningQueueDecision(queue: MorningQueue, { loadId, id, decided }: MorningQueueDecision): MorningQueue {
  if (queue.load_id !== loadId || !queue.sections.some(({ ids }) => ids.includes(id))) return queue
  const remainingIds = queue.decided.filter((decidedId) => decidedId !== id)
  return { ...queue, decided: decided ? [...remainingIds, id] : remainingIds }
}

export function useUnsentMorningQueueDecisions() {
  const { length: count } = useMutationState({
    filters: { mutationKey: morningQueueDecisionMutation.mutationKey!, status: 'pending' },
    select: ({ mutationId }) => mutationId,
  })
  const failed = useSyncExternalStore(failures.subscribe, failures.get)
  return { count, hasFailed: count > 0 && failed > 0 }
}

const latestLoadQuery = queryOptions<MorningQueueDecisionsResponse>({
  queryKey: [...reportKeys.all, 'latest-load'],
  queryFn: skipToken,
})
export const useLatestDataLoad = (): MorningQueueDecisionsResponse | undefined => useQuery(latestLoadQuery).data

/**
 * Sends consecutive equal decisions in one request. Retries until the request succeeds or is refused, or the session
 * ends.
 */
async function sendWithRetries(
  decision: MorningQueueDecision,
  call: SendChangeFn,
): Promise<MorningQueueDecisionsResponse> {
  const { loadId, decided } = decision
  for (;;) {
    // If the session ended during the delay, its pending decisions have been discarded.
    if (!listPendingChanges(morningQueueDecisionMutation).includes(decision)) throw new AbandonedChangeError()
    const batch = collectBatch(decision)
    try {
      const response = await call('projects/queue/decisions', {
        method: 'post',
        json: { load_id: loadId, project_ids: [...new Set(batch.map(({ id }) => id))], decided },
        schema: morningQueueDecisionsResponseSchema,
      })
      failures.set(0)
      for (const batched of batch) batchedResponses.set(batched, response)
      queryClient.setQueryData(latestLoadQuery.queryKey, response)
      return response
    } catch (error) {
      probeConnectionAfterFailure(error)
      failures.set(failures.get() + 1)
      if (!isRetryableError(error)) {
        failures.set(0)
        throw error
      }
      await waitForRetry()
    }
  }
}

function collectBatch(decision: MorningQueueDecision): readonly MorningQueueDecision[] {
  const waiting = listPendingChanges(morningQueueDecisionMutation)
  const following = waiting.slice(waiting.indexOf(decision))
  const batchEnd = following.findIndex(
    ({ loadId, decided }) => loadId !== decision.loadId || decided !== decision.decided,
  )
  return following.slice(0, Math.min(batchEnd === -1 ? following.length : batchEnd, MAX_BATCH_SIZE))
}

function waitForRetry(): Promise<void> {
  const wait = Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** (failures.get() - 1))
  return new Promise((resolve) => {
    const wake = () => {
      clearTimeout(timer)
      stopListening()
      for (const event of WAKE_EVENTS) window.removeEventListener(event, wake)
      resolve()
    }
    const timer = setTimeout(wake, wait)
    const stopListening = onlineManager.subscribe((isOnline) => isOnline && wake())
    for (const event of WAKE_EVENTS) window.addEventListener(event, wake)
  })
}
const WAKE_EVENTS = ['online', 'pagehide', 'beforeunload']
