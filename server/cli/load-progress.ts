import type { DataLoadProgress, DataLoadReport } from '#server/catalogue/feed/load-report.ts'
import type { CommandLineOutput } from './terminal.ts'

const REDRAW_MS = 100
const LOG_MS = 5_000

const PHASES = {
  read: 'read',
  publish: 'published',
  match: 'matched',
  derive: 'compared and counted',
  companies: 'companies counted',
  tidy: 'updating statistics',
} as const satisfies Record<DataLoadProgress['phase'], string>

const count = (value: number) => value.toLocaleString('en-US')

export function showDataLoadProgress(
  terminal: CommandLineOutput,
  now: () => number = () => performance.now(),
): (progress: DataLoadProgress) => void {
  let phase: DataLoadProgress['phase'] | undefined
  let [phaseAt, doneAtStart] = [now(), 0]
  let shownAt: number | undefined
  return (progress) => {
    const at = now()
    if (progress.phase !== phase) {
      phase = progress.phase
      phaseAt = at
      doneAtStart = progress.phase === 'read' ? progress.done : 0
    }
    shownAt ??= terminal.isTty ? Number.NEGATIVE_INFINITY : at
    if (at - shownAt < (terminal.isTty ? REDRAW_MS : LOG_MS)) return
    shownAt = at
    const line = progressLine(progress, (progress.done - doneAtStart) / ((at - phaseAt) / 1000))
    if (terminal.isTty) terminal.redraw(line)
    else terminal.log(line)
  }
}

function progressLine({ phase, done, total, quarantined = 0 }: DataLoadProgress, perSecond: number): string {
  if (phase === 'tidy') return PHASES.tidy
  const of = total === undefined ? '' : ` of ${count(total)}`
  const rate = Number.isFinite(perSecond) && perSecond > 0 ? `, ${count(Math.round(perSecond))}/s` : ''
  const remaining =
    total !== undefined && Number.isFinite(perSecond) && perSecond > 0
      ? `, ${duration((total - done) / perSecond)} left`
      : ''
  const aside = quarantined > 0 ? `, ${count(quarantined)} in quarantine` : ''
  return `${PHASES[phase]} ${count(done)}${of}${rate}${remaining}${aside}`
}

function duration(seconds: number): string {
  const wholeSeconds = Math.max(0, Math.ceil(seconds))
  return wholeSeconds < 60 ? `${wholeSeconds} s` : `${Math.floor(wholeSeconds / 60)} min ${wholeSeconds % 60} s`
}

function doubtLines(doubts: DataLoadReport['doubts']): string[] {
  const kinds = Object.entries(doubts).toSorted(([, a], [, b]) => b - a)
  if (kinds.length === 0) return []
  return [`imported with warnings: ${kinds.map(([kind, rows]) => `${kind} ${count(rows)}`).join(', ')}`]
}

export function formatDataLoadReport(report: DataLoadReport): string[] {
  const rate = report.seconds > 0 ? `, ${count(Math.round(report.read / report.seconds))} rows/s` : ''
  return [
    ...(report.resumedAfterLine > 0 ? [`continued after line ${count(report.resumedAfterLine)}`] : []),
    `read ${count(report.read)} = imported ${count(report.staged)} + quarantined ${count(report.quarantined)}`,
    `projects: ${count(report.newProjects)} new, ${count(report.updatedProjects)} updated, ${count(report.unchangedProjects)} unchanged`,
    `matches: ${count(report.matched)} (removed by exclusion words: ${count(report.excluded)})`,
    ...doubtLines(report.doubts),
    `load ${report.loadId} took ${report.seconds.toFixed(1)} s${rate}`,
  ]
}
