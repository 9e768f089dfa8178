import { EDIT_CONFLICT_ERROR_CODE } from '#contract/http/changed-meanwhile.ts'
import type { PursuitDetail } from '#contract/team/pursuit.ts'
import { ProblemError } from '#src/lib/problem-error.ts'
import { createExternalStore } from '#src/lib/store.ts'
import type { PursuitChange } from '#src/team/api/pursuit-patches.ts'

export type PursuitConflict = {
  readonly change: PursuitChange
  readonly failed: string
  readonly current: PursuitDetail
}

export const pursuitConflictStore = createExternalStore<readonly PursuitConflict[]>([])

export const closePursuitConflict = (conflict: PursuitConflict): void =>
  pursuitConflictStore.set(pursuitConflictStore.get().filter((item) => item !== conflict))

/** Returns false if the error is not a colleague's change of the same pursuit. */
export function openPursuitConflictDialog(error: unknown, change: object, failed: string): boolean {
  if (!(error instanceof ProblemError) || error.code !== EDIT_CONFLICT_ERROR_CODE) return false
  const current = error.body.current as PursuitDetail
  pursuitConflictStore.set([...pursuitConflictStore.get(), { change: change as PursuitChange, failed, current }])
  return true
}
