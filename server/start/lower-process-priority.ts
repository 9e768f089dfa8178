import { constants, setPriority } from 'node:os'

export function lowerProcessPriority(): void {
  try {
    setPriority(constants.priority.PRIORITY_LOW)
  } catch {
    // Some containers forbid changing the priority, so continue at normal priority.
  }
}
