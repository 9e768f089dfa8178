import { queryClient } from '../http/query-client.ts'
import { type AnyMutation, type ChangeOptions, changeOf, giveKey, pendingMutations } from '../optimistic.ts'

/** A change that waits for its answer. `failed` begins the message of a refusal. */
export type WaitingChange = {
  readonly mutation: AnyMutation
  readonly name: string
  readonly variables: object
  readonly failed: string
}

/** Changes that may be kept, the oldest first. */
export function waitingChanges(): readonly WaitingChange[] {
  return pendingMutations().flatMap((mutation) => {
    const change = changeOf(mutation)
    const { variables } = mutation.state
    if (!change?.waits || !variables) return []
    return [{ mutation, name: change.name, variables, failed: change.message?.failed ?? '' }]
  })
}

/** Makes a change that another page has left behind: with its key, and with the same word when it is refused. */
export function mutateAgain<Variables, Answer>(
  options: ChangeOptions<Variables, Answer>,
  variables: Variables,
  key: string,
): void {
  const mutation = queryClient.getMutationCache().build(queryClient, options)
  giveKey(mutation as unknown as AnyMutation, key)
  mutation.execute(variables).catch(() => undefined)
}
