import type { useRouter } from '@tanstack/react-router'
import type { ChangeReportSearchFn } from '#src/lib/report-change.ts'

type History = ReturnType<typeof useRouter>['history']

let openedIndex: number | undefined

export function openMorningQueue(change: ChangeReportSearchFn, history: History): void {
  openedIndex = history.location.state.__TSR_index + 1
  change({ queue: true, peek: undefined })
}

/** Closes the queue. Goes back instead of pushing, so that no dead history entry is left. */
export function closeMorningQueue(change: ChangeReportSearchFn, history: History): void {
  if (openedIndex === history.location.state.__TSR_index) history.back()
  else change({ queue: undefined }, 'replace')
  openedIndex = undefined
}
