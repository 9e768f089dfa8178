import type { RouterHistory } from '@tanstack/react-router'

/** Maps the history key of a list to the project last opened from it, so that Back returns to the same row. */
const openedProjects = new Map<string | undefined, string>()

const placeOf = ({ location }: RouterHistory) => location.state.__TSR_key

export function saveReportCursor(history: RouterHistory, projectId: string): void {
  openedProjects.set(placeOf(history), projectId)
}

export function getSavedReportCursor(history: RouterHistory): string | undefined {
  return openedProjects.get(placeOf(history))
}
