import type { RouterHistory } from '@tanstack/react-router'

/** Opened projects by the history key of their list, so that Back returns to the same row. */
const kept = new Map<string | undefined, string>()

const placeOf = ({ location }: RouterHistory) => location.state.__TSR_key

export function saveCursor(history: RouterHistory, projectId: string): void {
  kept.set(placeOf(history), projectId)
}

export function savedCursor(history: RouterHistory): string | undefined {
  return kept.get(placeOf(history))
}
