import { constants, setPriority } from 'node:os'

/** Lowers the priority of this process and of the processes that it will start. */
export function lowerProcessPriority(priority: number = constants.priority.PRIORITY_LOW): void {
  try {
    setPriority(priority)
  } catch {
    // Some containers forbid changing the priority, so continue at normal priority.
  }
}
