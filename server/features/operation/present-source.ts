import type { OperatedSource } from '#contract/operation/sources.ts'
import type { SourceStatus } from '#server/features/intake/commands.ts'

const MINUTE_MS = 60_000
const minutesOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

/** Length of the hours in which a source is asked; `17:30` to `08:30` is over midnight. */
function windowMs(opensAt: string, closesAt: string): number {
  const minutes = minutesOf(closesAt) - minutesOf(opensAt)
  return (minutes > 0 ? minutes : minutes + 24 * 60) * MINUTE_MS
}

/** A source as the API tells of it. */
export function presentSource({ state, coverage, nights, failure }: SourceStatus): OperatedSource {
  const length = windowMs(state.opensAt, state.closesAt)
  return {
    source: state.source,
    is_on: state.isOn,
    address: state.address,
    contact: state.contact,
    opens_at: state.opensAt,
    closes_at: state.closesAt,
    probe_at: state.probeAt,
    pace_seconds: state.paceMs / 1000,
    last_request_at: state.lastRequestAt,
    last_answer_at: state.lastAnswerAt,
    next_run_at: state.nextRunAt,
    rests_until: state.stops > 0 ? state.resumeAt : null,
    halted_at: state.haltedAt,
    halted_reason: state.haltedReason,
    probed_at: state.probedAt,
    probe_answered: state.probeAnswered,
    failure,
    coverage: {
      agencies: coverage.agencies,
      reached: coverage.reached,
      never: coverage.never,
      incomplete: coverage.incomplete,
      missing: coverage.missing,
      waiting: coverage.waiting,
      announcements: coverage.announcements,
      last_full_night: coverage.lastFullNight,
    },
    nights: nights.map((night) => ({
      night: night.night,
      begun_at: night.begunAt,
      ended_at: night.endedAt,
      planned: night.planned,
      requests: night.requests,
      new_items: night.newItems,
      changed_items: night.changedItems,
      timeouts: night.timeouts,
      refusals: night.refusals,
      full_answers: night.fullAnswers,
      outcome: night.outcome,
      share: Math.min(1, (night.requests * state.paceMs) / length),
    })),
  }
}
