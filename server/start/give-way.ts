import { constants, setPriority } from 'node:os'

/** Lowers the priority of a process that only loads data, so that serving users has precedence. */
export function giveWay(): void {
  try {
    setPriority(constants.priority.PRIORITY_LOW)
  } catch {
    // Some containers forbid it; continue at normal priority.
  }
}
