import { constants, setPriority } from 'node:os'

/** For a process that is here for a load alone: it computes when nobody else wants to, so that people who are being served come first. */
export function giveWay(): void {
  try {
    setPriority(constants.priority.PRIORITY_LOW)
  } catch {
    // Not allowed in some containers: it competes as before.
  }
}
