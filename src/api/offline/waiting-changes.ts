import { type AnyMutation, giveKey } from '../change-keys.ts'
import { queryClient } from '../http/query-client.ts'
import { type ChangeOptions, changeOf, pendingMutations } from '../optimistic.ts'

/** A pending change. `failed` is the prefix of the error message. */
export type WaitingChange = {
  readonly mutation: AnyMutation
  readonly name: string
  readonly variables: object
  readonly failed: string
}

export function waitingChanges(): readonly WaitingChange[] {
  return pendingMutations().flatMap((mutation) => {
    const change = changeOf(mutation)
    const { variables } = mutation.state
    if (!change?.waits || !variables) return []
    return [{ mutation, name: change.name, variables, failed: change.message?.failed ?? '' }]
  })
}

/** Repeats a change left by another page, with its idempotency key and error message. */
export function mutateAgain<Variables, Answer>(
  options: ChangeOptions<Variables, Answer>,
  variables: Variables,
  key: string,
): void {
  const mutation = queryClient.getMutationCache().build(queryClient, options)
  giveKey(mutation as unknown as AnyMutation, key)
  mutation.execute(variables).catch(() => undefined)
}
