import {
  type ChangeMutationOptions,
  getOptimisticChangeForMutation,
  listPendingMutations,
} from '#src/api/optimistic-changes.ts'
import { setIdempotencyKey, type UntypedMutation } from '../change-keys.ts'
import { queryClient } from '../http/query-client.ts'

/** A pending change. `failed` is the prefix of its error message. */
export type QueuedChange = {
  readonly mutation: UntypedMutation
  readonly name: string
  readonly variables: object
  readonly failed: string
}

export function listQueuedChanges(): readonly QueuedChange[] {
  return listPendingMutations().flatMap((mutation) => {
    const change = getOptimisticChangeForMutation(mutation)
    const { variables } = mutation.state
    if (!change?.queuesOffline || !variables) return []
    return [{ mutation, name: change.name, variables, failed: change.message?.failed ?? '' }]
  })
}

/** Resumes a change that an earlier page left pending, with its idempotency key and error message. */
export function resumeQueuedChange<Variables, Answer>(
  options: ChangeMutationOptions<Variables, Answer>,
  variables: Variables,
  key: string,
): void {
  const mutation = queryClient.getMutationCache().build(queryClient, options)
  setIdempotencyKey(mutation as unknown as UntypedMutation, key)
  mutation.execute(variables).catch(() => undefined)
}
