import type { useRouter } from '@tanstack/react-router'
import type { ChangeReportSearchFn } from '#src/lib/report-change.ts'

type History = ReturnType<typeof useRouter>['history']

/** History index of the entry that opened the queue, if this page created it. */
let openedIndex: number | undefined

export function openMorningQueue(change: ChangeReportSearchFn, history: History): void {
  openedIndex = history.location.state.__TSR_index + 1
  change({ queue: true, peek: undefined })
}

/** Go back instead of pushing, so closing the queue leaves no dead history entry. */
export function closeMorningQueue(change: ChangeReportSearchFn, history: History): void {
  if (openedIndex === history.location.state.__TSR_index) history.back()
  else change({ queue: undefined }, 'replace')
  openedIndex = undefined
}
