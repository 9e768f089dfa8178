import { CHANGED_MEANWHILE } from '#contract/http/changed-meanwhile.ts'
import type { PursuitDetail } from '#contract/pursuit/pursuit.ts'
import { ProblemError } from '#src/api/http/problem-error.ts'
import type { PursuitChange } from '#src/api/pursuit/pursuit-patches.ts'

/** A change of a pursuit that a colleague's came before: a question to its author. */
export type PursuitConflict = {
  readonly change: PursuitChange
  /** Begins the message when the second attempt fails as well. */
  readonly failed: string
  readonly current: PursuitDetail
}

let conflicts: readonly PursuitConflict[] = []
const listeners = new Set<() => void>()

function publish(next: readonly PursuitConflict[]): void {
  conflicts = next
  for (const listener of listeners) listener()
}

export const openConflicts = (): readonly PursuitConflict[] => conflicts
export function subscribeToConflicts(listener: () => void): () => void {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}
export const closeConflict = (conflict: PursuitConflict): void => publish(conflicts.filter((one) => one !== conflict))
export const clearConflicts = (): void => publish([])

/** Opens the question where the server refused a change for a colleague's; false for any other error. */
export function askAboutConflict(error: unknown, mutation: object, failed: string): boolean {
  if (!(error instanceof ProblemError) || error.code !== CHANGED_MEANWHILE) return false
  const { variables } = (mutation as { state: { variables: PursuitChange } }).state
  publish([...conflicts, { change: variables, failed, current: error.body.current as PursuitDetail }])
  return true
}
