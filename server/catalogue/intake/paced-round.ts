import type { Db } from '#server/platform/engine/db.ts'
import type { DownloadFault } from './download.ts'
import { type IntakeSource, readSource, type SourceState } from './intake-sources.ts'
import {
  addNightlyRunCounts,
  beginNightlyRun,
  endNightlyRun,
  haltSource,
  type NightlyRunOutcome,
  pauseSourceUntil,
  recordSourceRequest,
  startCooldown,
} from './nights.ts'
import { type Night, nextPollAt, nightAt } from './window.ts'

export type RoundClock = {
  now(): Date
  /** Monotonic time in milliseconds, for the pace between requests. */
  elapsed(): number
  sleep(ms: number, signal: AbortSignal): Promise<void>
}

export type RoundDeps = {
  readonly clock: RoundClock
  readonly signal: AbortSignal
  /** Renews the lease inside `tx`; rejects when another process owns it. */
  confirm(tx: Db): Promise<void>
  onHalted(tx: Db, reason: string, at: Date): Promise<void>
}

/** When to run the source again; undefined means not until an operator enables it. */
export type RoundEnd = {
  readonly until: Date | undefined
  readonly isNightOver: boolean
}

export type RoundOperations = {
  turn(round: PacedRound): Promise<RoundEnd>
  begin?(tx: Db, night: Night, at: Date): Promise<unknown>
  whileClosed?(source: SourceState): Promise<void>
  /** The last request is sent this long before closing time, so that its response still arrives. */
  readonly lastCallMs?: number
}

export class RoundOver extends Error {
  override readonly name = 'RoundOver'
  readonly end: RoundEnd
  constructor(end: RoundEnd) {
    super('the round is over')
    this.end = end
  }
}

/**
 * A job runs for this long and is then requeued immediately, because a job that runs for hours looks like a hung one
 * (`jobs_oldest_seconds`).
 */
const MAX_TURN_MS = 5 * 60_000

export class PacedRound {
  readonly db: Db
  readonly source: SourceState
  readonly night: Night
  readonly deps: RoundDeps
  readonly host: string
  readonly #begunAt: number
  readonly #closesAt: number
  #askedAt = Number.NEGATIVE_INFINITY

  constructor(db: Db, source: SourceState, night: Night, deps: RoundDeps, lastCallMs = 0) {
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
    if (this.#isClosed()) throw new RoundOver(await this.end(outcome))
    if (this.isTurnOver()) throw new RoundOver({ until: this.now(), isNightOver: false })
  }

  /**
   * Waits until the next request is allowed. If the round ends meanwhile, `outcome` is recorded for the nightly run.
   */
  async waitForTurn(outcome?: NightlyRunOutcome): Promise<void> {
    const { clock, signal } = this.deps
    const wait = this.#askedAt + this.source.paceMs - clock.elapsed()
    if (wait > 0) await clock.sleep(wait, signal)
    await this.checkTurn(outcome)
    this.#askedAt = clock.elapsed()
  }

  /**
   * Waits until the next request is allowed and counts it. Use `waitForTurn` if the request is counted with its
   * response.
   */
  async takeTurn(): Promise<void> {
    await this.waitForTurn()
    await this.write(async (tx) => {
      await recordSourceRequest(tx, this.name, this.now())
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
  async fault(fault: DownloadFault): Promise<never> {
    const reason = 'reason' in fault ? fault.reason : fault.kind
    const end = await this.write(async (tx) => {
      const isTimeout = fault.kind === 'timeout'
      await addNightlyRunCounts(tx, this.name, this.night.night, isTimeout ? { timeouts: 1 } : { refusals: 1 })
      if (fault.kind === 'page' || fault.kind === 'forbidden')
        return await this.haltIn(tx, fault.kind === 'page' ? 'received a web page instead of data' : reason)
      return await this.startCooldownIn(tx, isTimeout ? 'closed' : 'refused')
    })
    throw new RoundOver(end)
  }

  /**
   * Starts a cooldown, each longer than the last. The final one lasts until the next night and ends the current run
   * with `outcome`.
   */
  async startCooldownIn(tx: Db, outcome: NightlyRunOutcome): Promise<RoundEnd> {
    const until = await startCooldown(tx, this.name, { now: this.now(), endsAt: this.night.endsAt })
    return until ? { until, isNightOver: false } : await this.endIn(tx, outcome)
  }

  async halt(reason: string): Promise<never> {
    throw new RoundOver(await this.write((tx) => this.haltIn(tx, reason)))
  }

  async haltIn(tx: Db, reason: string): Promise<RoundEnd> {
    await haltSource(tx, this.name, { night: this.night.night, reason, at: this.now() })
    await this.deps.onHalted(tx, reason, this.now())
    return { until: undefined, isNightOver: true }
  }

  async stop(outcome: NightlyRunOutcome): Promise<never> {
    await this.write((tx) => addNightlyRunCounts(tx, this.name, this.night.night, { refusals: 1 }))
    throw new RoundOver(await this.end(outcome))
  }

  async end(outcome: NightlyRunOutcome): Promise<RoundEnd> {
    return await this.write((tx) => this.endIn(tx, outcome))
  }

  async endIn(tx: Db, outcome: NightlyRunOutcome): Promise<RoundEnd> {
    await endNightlyRun(tx, this.name, this.night.night, outcome, this.now())
    await pauseSourceUntil(tx, this.name, this.night.endsAt)
    return { until: nextPollAt(this.source, new Date(this.night.endsAt.getTime() - 1)), isNightOver: true }
  }
}

/**
 * Runs one turn of a source within its opening hours and returns when to run it again. Resumes after an interruption.
 */
export async function runPacedRound(
  db: Db,
  name: IntakeSource,
  deps: RoundDeps,
  { turn, begin, whileClosed, lastCallMs }: RoundOperations,
): Promise<RoundEnd> {
  const source = await readSource(db, name)
  if (!source.isOn || source.contact === null || source.haltedAt !== null)
    return { until: undefined, isNightOver: true }
  const now = deps.clock.now()
  const night = nightAt(source, now)
  if (!night) {
    await whileClosed?.(source)
    return { until: nextPollAt(source, now), isNightOver: true }
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
    return await turn(new PacedRound(db, source, night, deps, lastCallMs))
  } catch (error) {
    if (error instanceof RoundOver) return error.end
    throw error
  }
}
