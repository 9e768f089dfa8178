import type { Db } from '#server/platform/engine/db.ts'
import type { DownloadFailure } from './download.ts'
import { type IntakeSource, type IntakeSourceState, readIntakeSourceState } from './intake-sources.ts'
import {
  addNightlyRunCounts,
  beginNightlyRun,
  endNightlyRun,
  haltIntakeSource,
  type NightlyRunOutcome,
  pauseIntakeSourceUntil,
  recordIntakeSourceRequest,
  startIntakeSourceCooldown,
} from './nightly-runs.ts'
import { findNightlyRunWindowAt, getNextPollTime, type NightlyRunWindow } from './opening-hours.ts'

export type IntakeRoundClock = {
  now(): Date
  /** Monotonic time in milliseconds, for the pace between requests. */
  elapsed(): number
  sleep(ms: number, signal: AbortSignal): Promise<void>
}

export type IntakeRoundDependencies = {
  readonly clock: IntakeRoundClock
  readonly signal: AbortSignal
  /** Renews the lease inside `tx`; rejects when another process owns it. */
  confirm(tx: Db): Promise<void>
  onHalted(tx: Db, reason: string, at: Date): Promise<void>
}

/** When to run the source again; undefined means not until an operator enables it. */
export type IntakeRoundResult = {
  readonly until: Date | undefined
  readonly isNightOver: boolean
}

export type IntakeRoundOperations = {
  turn(round: PacedIntakeRound): Promise<IntakeRoundResult>
  begin?(tx: Db, night: NightlyRunWindow, at: Date): Promise<unknown>
  whileClosed?(source: IntakeSourceState): Promise<void>
  /** The last request is sent this long before closing time, so that its response still arrives. */
  readonly lastCallMs?: number
}

class IntakeRoundEndedError extends Error {
  override readonly name = 'IntakeRoundEndedError'
  readonly end: IntakeRoundResult
  constructor(end: IntakeRoundResult) {
    super('the round is over')
    this.end = end
  }
}

/**
 * A job runs for this long and is then requeued immediately, because a job that runs for hours looks like a hung one
 * (`jobs_oldest_seconds`).
 */
const MAX_TURN_MS = 5 * 60_000

export class PacedIntakeRound {
  readonly db: Db
  readonly source: IntakeSourceState
  readonly night: NightlyRunWindow
  readonly deps: IntakeRoundDependencies
  readonly host: string
  readonly #begunAt: number
  readonly #closesAt: number
  #lastRequestAt = Number.NEGATIVE_INFINITY

  constructor(
    db: Db,
    source: IntakeSourceState,
    night: NightlyRunWindow,
    deps: IntakeRoundDependencies,
    lastCallMs = 0,
  ) {
    this.db = db
    this.source = source
    this.night = night
    this.deps = deps
    this.host = new URL(source.address).host
    this.#begunAt = deps.clock.elapsed()
    this.#closesAt = night.endsAt.getTime() - lastCallMs
  }

  get name(): IntakeSource {
    return this.source.source
  }

  now(): Date {
    return this.deps.clock.now()
  }

  #isClosed = (): boolean => this.now().getTime() >= this.#closesAt

  isTurnOver = (): boolean => this.deps.clock.elapsed() - this.#begunAt > MAX_TURN_MS || this.#isClosed()

  async checkTurn(outcome: NightlyRunOutcome = 'cut_short'): Promise<void> {
    this.deps.signal.throwIfAborted()
    if (this.#isClosed()) throw new IntakeRoundEndedError(await this.end(outcome))
    if (this.isTurnOver()) throw new IntakeRoundEndedError({ until: this.now(), isNightOver: false })
  }

  /**
   * Waits until the next request is allowed. If the round ends meanwhile, `outcome` is recorded for the nightly run.
   */
  async waitForTurn(outcome?: NightlyRunOutcome): Promise<void> {
    const { clock, signal } = this.deps
    const wait = this.#lastRequestAt + this.source.paceMs - clock.elapsed()
    if (wait > 0) await clock.sleep(wait, signal)
    await this.checkTurn(outcome)
    this.#lastRequestAt = clock.elapsed()
  }

  /**
   * Waits until the next request is allowed and counts it. Use `waitForTurn` if the request is counted with its
   * response.
   */
  async takeTurn(): Promise<void> {
    await this.waitForTurn()
    await this.write(async (tx) => {
      await recordIntakeSourceRequest(tx, this.name, this.now())
      await addNightlyRunCounts(tx, this.name, this.night.night, { requests: 1 })
    })
  }

  async write<T>(work: (tx: Db) => Promise<T>): Promise<T> {
    return await this.db.transaction(async (tx) => {
      await this.deps.confirm(tx)
      return await work(tx)
    })
  }

  /**
   * Ends the round after a failed request: an HTML page or a blocked address halts the source, other faults start a
   * cooldown.
   */
  async fault(fault: DownloadFailure): Promise<never> {
    const reason = 'reason' in fault ? fault.reason : fault.kind
    const end = await this.write(async (tx) => {
      const isTimeout = fault.kind === 'timeout'
      await addNightlyRunCounts(tx, this.name, this.night.night, isTimeout ? { timeouts: 1 } : { refusals: 1 })
      if (fault.kind === 'page' || fault.kind === 'forbidden')
        return await this.haltIn(tx, fault.kind === 'page' ? 'received a web page instead of data' : reason)
      return await this.startCooldownIn(tx, isTimeout ? 'closed' : 'refused')
    })
    throw new IntakeRoundEndedError(end)
  }

  /**
   * Starts a cooldown, each longer than the last. The final one lasts until the next night and ends the current run
   * with `outcome`.
   */
  async startCooldownIn(tx: Db, outcome: NightlyRunOutcome): Promise<IntakeRoundResult> {
    const until = await startIntakeSourceCooldown(tx, this.name, { now: this.now(), endsAt: this.night.endsAt })
    return until ? { until, isNightOver: false } : await this.endIn(tx, outcome)
  }

  async halt(reason: string): Promise<never> {
    throw new IntakeRoundEndedError(await this.write((tx) => this.haltIn(tx, reason)))
  }

  async haltIn(tx: Db, reason: string): Promise<IntakeRoundResult> {
    await haltIntakeSource(tx, this.name, { night: this.night.night, reason, at: this.now() })
    await this.deps.onHalted(tx, reason, this.now())
    return { until: undefined, isNightOver: true }
  }

  async stop(outcome: NightlyRunOutcome): Promise<never> {
    await this.write((tx) => addNightlyRunCounts(tx, this.name, this.night.night, { refusals: 1 }))
    throw new IntakeRoundEndedError(await this.end(outcome))
  }

  async end(outcome: NightlyRunOutcome): Promise<IntakeRoundResult> {
    return await this.write((tx) => this.endIn(tx, outcome))
  }

  async endIn(tx: Db, outcome: NightlyRunOutcome): Promise<IntakeRoundResult> {
    await endNightlyRun(tx, this.name, this.night.night, outcome, this.now())
    await pauseIntakeSourceUntil(tx, this.name, this.night.endsAt)
    return { until: getNextPollTime(this.source, new Date(this.night.endsAt.getTime() - 1)), isNightOver: true }
  }
}

/**
 * Runs one turn of a source within its opening hours and returns when to run it again. Resumes after an interruption.
 */
export async function runPacedIntakeRound(
  db: Db,
  name: IntakeSource,
  deps: IntakeRoundDependencies,
  { turn, begin, whileClosed, lastCallMs }: IntakeRoundOperations,
): Promise<IntakeRoundResult> {
  const source = await readIntakeSourceState(db, name)
  if (!source.isOn || source.contact === null || source.haltedAt !== null)
    return { until: undefined, isNightOver: true }
  const now = deps.clock.now()
  const night = findNightlyRunWindowAt(source, now)
  if (!night) {
    await whileClosed?.(source)
    return { until: getNextPollTime(source, now), isNightOver: true }
  }
  if (source.night !== night.night)
    await db.transaction(
      async (tx) => {
        await deps.confirm(tx)
        if (source.night !== null) await endNightlyRun(tx, name, source.night, 'cut_short', night.startsAt)
        if (begin) await begin(tx, night, now)
        else await beginNightlyRun(tx, name, night.night, now)
      },
      { idleTimeoutMs: 0 },
    )
  else if (source.resumeAt !== null && new Date(source.resumeAt) > now)
    return { until: new Date(source.resumeAt), isNightOver: false }
  // A previous process may have sent a request and crashed before recording it, so wait once before the first request.
  await deps.clock.sleep(source.paceMs, deps.signal)
  try {
    return await turn(new PacedIntakeRound(db, source, night, deps, lastCallMs))
  } catch (error) {
    if (error instanceof IntakeRoundEndedError) return error.end
    throw error
  }
}
