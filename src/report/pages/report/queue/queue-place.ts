import type { useRouter } from '@tanstack/react-router'
import type { ChangeReport } from '#src/lib/report-change.ts'

type History = ReturnType<typeof useRouter>['history']

/** Place in the history of the step that opened the queue, when this page made it. */
let opened: number | undefined

/** Opens the queue over the report: a step that Back undoes. */
export function openQueue(change: ChangeReport, history: History): void {
  opened = history.location.state.__TSR_index + 1
  change({ queue: true, peek: undefined })
}

/** Back from where it was opened, so that no step is left that changes nothing. */
export function closeQueue(change: ChangeReport, history: History): void {
  if (opened === history.location.state.__TSR_index) history.back()
  else change({ queue: undefined }, 'replace')
  opened = undefined
}
