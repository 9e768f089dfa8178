import type { Mutation } from '@tanstack/react-query'
import { isUnreachable } from './http/problem-error.ts'

/** A change that is under way. */
export type AnyMutation = Mutation<unknown, Error, object>

/** The session ended while the change waited for its turn. */
export class AbandonedChangeError extends Error {
  override readonly name = 'AbandonedChangeError'
}

/** Tried again after 1, 2, 4 … seconds; once it is known that nothing answers (http/connection.ts), when that has ended. */
const LONGEST_RETRY_MS = 30_000
export const WAITING = {
  networkMode: 'offlineFirst',
  retry: (_failures: number, error: Error) => isUnreachable(error),
  retryDelay: (failures: number) => Math.min(LONGEST_RETRY_MS, 1000 * 2 ** failures),
} as const

const keys = new WeakMap<AnyMutation, string>()
/** By which the server knows a change that is sent again because its answer was lost. */
export function changeKey(mutation: AnyMutation): string {
  const key = keys.get(mutation) ?? crypto.randomUUID()
  keys.set(mutation, key)
  return key
}
/** Of a change that was kept, and is about to be made again: the key it had. */
export const giveKey = (mutation: AnyMutation, key: string) => void keys.set(mutation, key)

/** Changes that are kept on the device. */
export const keptChanges = new WeakSet<AnyMutation>()
