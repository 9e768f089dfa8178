import type { Mutation } from '@tanstack/react-query'
import { isServerUnreachableError } from '#src/lib/problem-error.ts'

export type UntypedMutation = Mutation<unknown, Error, object>

export class AbandonedChangeError extends Error {
  override readonly name = 'AbandonedChangeError'
}

/**
 * Maximum delay between retries, which follow after 1, 2, 4 … seconds or, if the connection is known to be down, as
 * soon as it returns (http/connection.ts).
 */
const MAX_RETRY_DELAY_MS = 30_000
export const OFFLINE_QUEUE_MUTATION_OPTIONS = {
  networkMode: 'offlineFirst',
  retry: (_failures: number, error: Error) => isServerUnreachableError(error),
  retryDelay: (failures: number) => Math.min(MAX_RETRY_DELAY_MS, 1000 * 2 ** failures),
} as const

const keys = new WeakMap<UntypedMutation, string>()
/** Returns the idempotency key of a change, by which the server recognises a resend after a lost response. */
export function getIdempotencyKey(mutation: UntypedMutation): string {
  const key = keys.get(mutation) ?? crypto.randomUUID()
  keys.set(mutation, key)
  return key
}
export const setIdempotencyKey = (mutation: UntypedMutation, key: string) => void keys.set(mutation, key)

export const offlinePersistedMutations = new WeakSet<UntypedMutation>()
