import type { RouterHistory } from '@tanstack/react-router'

/** Projects whose pages were opened, by the place of their list in the history: Back leads to the same row. */
const kept = new Map<string | undefined, string>()

const placeOf = ({ location }: RouterHistory) => location.state.__TSR_key

export function saveCursor(history: RouterHistory, projectId: string): void {
  kept.set(placeOf(history), projectId)
}

/** The project whose page was opened from the list at this place of the history, if one was. */
export function savedCursor(history: RouterHistory): string | undefined {
  return kept.get(placeOf(history))
}
