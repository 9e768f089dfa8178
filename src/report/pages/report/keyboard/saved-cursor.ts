import type { RouterHistory } from '@tanstack/react-router'

/** Last opened project by the history key of its list, so that Back returns to the same row. */
const openedProjects = new Map<string | undefined, string>()

const placeOf = ({ location }: RouterHistory) => location.state.__TSR_key

export function saveCursor(history: RouterHistory, projectId: string): void {
  openedProjects.set(placeOf(history), projectId)
}

export function savedCursor(history: RouterHistory): string | undefined {
  return openedProjects.get(placeOf(history))
}
