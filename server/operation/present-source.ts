import type { DataSourceStatus } from '#contract/operation/sources.ts'
import type { IntakeSourceOverview } from '#server/catalogue/intake/source-overviews.ts'

const MAX_FILES = 20
const MINUTE_MS = 60_000
const minutesOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

/** Length of the window in milliseconds. Opening hours such as `17:30` to `08:30` cross midnight. */
function windowMs(opensAt: string, closesAt: string): number {
  const minutes = minutesOf(closesAt) - minutesOf(opensAt)
  return (minutes > 0 ? minutes : minutes + 24 * 60) * MINUTE_MS
}

export function presentDataSource(source: IntakeSourceOverview): DataSourceStatus {
  const { coverage, progress, rounds, files, paceMs } = source
  const length = windowMs(source.opensAt, source.closesAt)
  return {
    source: source.source,
    label: source.label,
    is_on: source.isOn,
    address: source.address,
    contact: source.contact,
    needs_contact: source.needsContact,
    needs_key: source.needsKey,
    has_key: source.hasKey,
    opens_at: source.opensAt,
    closes_at: source.closesAt,
    probe_at: source.probeAt,
    pace_seconds: paceMs / 1000,
    last_run_at: source.lastRunAt,
    last_answer_at: source.lastAnswerAt,
    next_run_at: source.nextRunAt,
    rests_until: source.restsUntil,
    halted: source.halted,
    probe: source.probe,
    failure: source.failure,
    progress: progress && {
      unit: progress.unit,
      done: progress.done,
      total: progress.total,
      seconds_left: progress.secondsLeft,
    },
    coverage: coverage && {
      agencies: coverage.agencies,
      reached: coverage.reached,
      never: coverage.never,
      incomplete: coverage.incomplete,
      missing: coverage.missing,
      waiting: coverage.waiting,
      last_full_night: coverage.lastFullNight,
    },
    came_in_all: source.totalReceived,
    files: files.slice(0, MAX_FILES).map((file) => ({
      name: file.name,
      state: file.state,
      rows_read: file.rowsRead,
      rows_quarantined: file.rowsQuarantined,
      new_projects: file.newProjects,
      updated_projects: file.updatedProjects,
      reason: file.reason,
      finished_at: file.finishedAt,
    })),
    rounds: rounds.map((round) => ({
      night: round.night,
      begun_at: round.begunAt,
      ended_at: round.endedAt,
      planned: round.planned,
      requests: round.requests,
      new_items: round.newItems,
      changed_items: round.changedItems,
      unreadable_items: round.unreadableItems,
      timeouts: round.timeouts,
      refusals: round.refusals,
      full_answers: round.fullAnswers,
      outcome: round.outcome,
      share: Math.min(1, (round.requests * paceMs) / length),
    })),
  }
}
