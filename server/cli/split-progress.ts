import type { SplitProgress } from '#server/engine/repartition/copy-and-exchange.ts'
import type { Terminal } from './terminal.ts'

const LOG_MS = 5_000
const REDRAW_MS = 100
const PHASES: Readonly<Record<SplitProgress['phase'], string>> = {
  copy: 'copying',
  compare: 'comparing',
  wait: 'waiting for those who still look at a moment before the copy',
  swap: 'waiting for the moment in which nobody else holds the table',
  validate: 'reading the references once more',
}

export const count = (value: number): string => value.toLocaleString('en-US')

/** A line for each step, and every five seconds while rows are copied; on a terminal one line that changes. */
export function showSplitProgress(terminal: Terminal): (progress: SplitProgress) => void {
  let shownAt = Number.NEGATIVE_INFINITY
  let shown = ''
  return ({ partition, done, total, phase, rows }) => {
    const now = performance.now()
    const isNew = shown !== `${partition} ${phase}`
    if (now - shownAt < (terminal.isTty ? REDRAW_MS : LOG_MS) && !(isNew && phase !== 'copy')) return
    shownAt = now
    shown = `${partition} ${phase}`
    const line = `${done + 1} of ${total}: ${partition}, ${count(rows)} rows, ${PHASES[phase]}`
    if (terminal.isTty) terminal.redraw(line)
    else terminal.log(line)
  }
}
