import { queryOptions, skipToken, useMutationState, useQuery } from '@tanstack/react-query'
import {
  type MorningQueue,
  type MorningQueueDecisionsResponse,
  morningQueueDecisionsResponseSchema,
} from '#contract/report/morning-queue.ts'
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
import { recordSeenProject } from '#src/report/first-steps/first-steps-store.ts'

/** Maximum decisions per request, because a `keepalive` body must be below 64 KiB. */
const MAX_BATCH_SIZE = 500

type MorningQueueDecision = { readonly loadId: number; readonly id: string; readonly decided: boolean }

/** Responses for decisions that were already sent in the batch of an earlier decision. */
const batchedResponses = new WeakMap<MorningQueueDecision, MorningQueueDecisionsResponse>()

const morningQueueDecisionMutation = defineOptimisticChange<MorningQueueDecision, MorningQueueDecisionsResponse>({
  name: 'queue',
  layers: [{ key: morningQueueKeys.all, apply: applyMorningQueueDecision }],
  scope: 'queue',
  tags: () => ['queue'],
  isResumed: true,
  queuesOffline: true,
  isRetried: isRetryableError,
  message: { failed: 'บันทึกการไล่ดูไม่สำเร็จ' },
  send: async (decision, call) => batchedResponses.get(decision) ?? (await sendBatch(decision, call)),
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
  const failures = useMutationState({
    filters: { mutationKey: morningQueueDecisionMutation.mutationKey!, status: 'pending' },
    select: ({ state }) => state.failureCount,
  })
  return { count: failures.length, hasFailed: failures.some((count) => count > 0) }
}

const latestLoadQuery = queryOptions<MorningQueueDecisionsResponse>({
  queryKey: [...reportKeys.all, 'latest-load'],
  queryFn: skipToken,
})
export const useLatestDataLoad = (): MorningQueueDecisionsResponse | undefined => useQuery(latestLoadQuery).data

/** Sends a decision together with the equal ones that directly follow it. */
async function sendBatch(decision: MorningQueueDecision, call: SendChangeFn): Promise<MorningQueueDecisionsResponse> {
  const { loadId, decided } = decision
  const pending = listPendingChanges(morningQueueDecisionMutation)
  // If the session ended before a retry, its pending decisions have been discarded.
  if (!pending.includes(decision)) throw new AbandonedChangeError()
  const following = pending.slice(pending.indexOf(decision))
  const end = following.findIndex((other) => other.loadId !== loadId || other.decided !== decided)
  const batch = following.slice(0, Math.min(end === -1 ? following.length : end, MAX_BATCH_SIZE))
  const response = await call('projects/queue/decisions', {
    method: 'post',
    json: { load_id: loadId, project_ids: [...new Set(batch.map(({ id }) => id))], decided },
    schema: morningQueueDecisionsResponseSchema,
  })
  for (const batched of batch) batchedResponses.set(batched, response)
  queryClient.setQueryData(latestLoadQuery.queryKey, response)
  return response
}
