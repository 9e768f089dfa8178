import type { Db } from '#server/platform/engine/db.ts'
import type { Fault } from './download.ts'
import {
  beginNight,
  countNight,
  endNight,
  haltSource,
  type Outcome,
  recordRequest,
  restAfterRefusal,
  restUntil,
} from './nights.ts'
import { type IntakeSource, readSource, type SourceState } from './sources.ts'
import { type Night, nextLook, nightAt } from './window.ts'

/** Time as the fetcher sees it; tests let nights pass in seconds. */
export type Clock = {
  now(): Date
  /** Milliseconds that nobody sets back or forward: what lies between two requests is measured by it. */
  elapsed(): number
  /** Rejects when `signal` ends it. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
}

export type RoundParts = {
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Holds the lease inside `tx`; rejects when it is somebody else's by now. */
  confirm(tx: Db): Promise<void>
  /** Told in the transaction that halts the source: the other side said no. */
  onHalted(tx: Db, reason: string, at: Date): Promise<void>
}

/** When to look again; undefined: not before an operator has switched it on. */
export type RoundEnd = {
  readonly until: Date | undefined
  /** Nothing more comes in this night. */
  readonly isNightOver: boolean
}

/** What a source does in its hours, and where it differs from the others. */
export type RoundSteps = {
  turn(round: PacedRound): Promise<RoundEnd>
  /** Begins a night, in the transaction that ends the one before. Default: a row that counts. */
  begin?(tx: Db, night: Night, at: Date): Promise<unknown>
  /** Done when its time comes while the other side is closed. Default: nothing. */
  whileClosed?(source: SourceState): Promise<void>
  /** The last request goes so long before the other side closes, that it is answered before. */
  readonly lastCallMs?: number
}

/** A round can end anywhere below; whoever runs it answers with the end. */
export class RoundOver extends Error {
  override readonly name = 'RoundOver'
  readonly end: RoundEnd
  constructor(end: RoundEnd) {
    super('the round is over')
    this.end = end
  }
}

/** A job goes on for so long and then waits for its next turn, at once: what runs for hours looks like what hangs (`jobs_oldest_seconds`). */
const TURN_MS = 5 * 60_000

/** One turn of a source that is asked over a network: its hours, its pace, and what follows when the other side says no. */
export class PacedRound {
  readonly db: Db
  readonly source: SourceState
  readonly night: Night
  readonly parts: RoundParts
  readonly host: string
  readonly #begunAt: number
  readonly #closesAt: number
  #askedAt = Number.NEGATIVE_INFINITY

  constructor(db: Db, source: SourceState, night: Night, parts: RoundParts, lastCallMs = 0) {
    this.db = db
    this.source = source
    this.night = night
    this.parts = parts
    this.host = new URL(source.address).host
    this.#begunAt = parts.clock.elapsed()
    this.#closesAt = night.ends.getTime() - lastCallMs
  }

  get name(): IntakeSource {
    return this.source.source
  }

  now(): Date {
    return this.parts.clock.now()
  }

  #isClosed = (): boolean => this.now().getTime() >= this.#closesAt

  isTurnOver = (): boolean => this.parts.clock.elapsed() - this.#begunAt > TURN_MS || this.#isClosed()

  /** Ends the turn when it has lasted long enough, and the night when its hours are over. */
  async checkTurn(outcome: Outcome = 'cut_short'): Promise<void> {
    this.parts.signal.throwIfAborted()
    if (this.#isClosed()) throw new RoundOver(await this.end(outcome))
    if (this.isTurnOver()) throw new RoundOver({ until: this.now(), isNightOver: false })
  }

  /** Waits until the next request may go. `outcome`: what the night was, should it be over by then. */
  async waitForTurn(outcome?: Outcome): Promise<void> {
    const { clock, signal } = this.parts
    const wait = this.#askedAt + this.source.paceMs - clock.elapsed()
    if (wait > 0) await clock.sleep(wait, signal)
    await this.checkTurn(outcome)
    this.#askedAt = clock.elapsed()
  }

  /** Waits until the next request may go, and counts it. Who counts it with its answer waits alone. */
  async takeTurn(): Promise<void> {
    await this.waitForTurn()
    await this.write(async (tx) => {
      await recordRequest(tx, this.name, this.now())
      await countNight(tx, this.name, this.night.night, { requests: 1 })
    })
  }

  async write<T>(work: (tx: Db) => Promise<T>): Promise<T> {
    return await this.db.transaction(async (tx) => {
      await this.parts.confirm(tx)
      return await work(tx)
    })
  }

  /** What is no answer ends the round: a page or a rule halts the source, all else rests it. */
  async fault(fault: Fault): Promise<never> {
    const reason = 'reason' in fault ? fault.reason : fault.kind
    const end = await this.write(async (tx) => {
      const isTimeout = fault.kind === 'timeout'
      await countNight(tx, this.name, this.night.night, isTimeout ? { timeouts: 1 } : { refusals: 1 })
      if (fault.kind === 'page' || fault.kind === 'forbidden')
        return await this.haltIn(tx, fault.kind === 'page' ? 'a page came instead of data' : reason)
      return await this.restIn(tx, isTimeout ? 'closed' : 'refused')
    })
    throw new RoundOver(end)
  }

  /** Told to stop: rests, longer each time, and at last until the next night, which this was then. */
  async restIn(tx: Db, outcome: Outcome): Promise<RoundEnd> {
    const until = await restAfterRefusal(tx, this.name, { now: this.now(), ends: this.night.ends })
    return until ? { until, isNightOver: false } : await this.endIn(tx, outcome)
  }

  /** Nothing more is asked until an operator has looked. */
  async halt(reason: string): Promise<never> {
    throw new RoundOver(await this.write((tx) => this.haltIn(tx, reason)))
  }

  async haltIn(tx: Db, reason: string): Promise<RoundEnd> {
    await haltSource(tx, this.name, { night: this.night.night, reason, at: this.now() })
    await this.parts.onHalted(tx, reason, this.now())
    return { until: undefined, isNightOver: true }
  }

  /** Told to stop for today: nothing is asked until the next night. */
  async stop(outcome: Outcome): Promise<never> {
    await this.write((tx) => countNight(tx, this.name, this.night.night, { refusals: 1 }))
    throw new RoundOver(await this.end(outcome))
  }

  async end(outcome: Outcome): Promise<RoundEnd> {
    return await this.write((tx) => this.endIn(tx, outcome))
  }

  async endIn(tx: Db, outcome: Outcome): Promise<RoundEnd> {
    await endNight(tx, this.name, this.night.night, outcome, this.now())
    await restUntil(tx, this.name, this.night.ends)
    return { until: nextLook(this.source, new Date(this.night.ends.getTime() - 1)), isNightOver: true }
  }
}

/** Runs one turn of a source within its hours and answers when to look again. Broken off anywhere, it goes on where it was. */
export async function runPaced(
  db: Db,
  name: IntakeSource,
  parts: RoundParts,
  { turn, begin, whileClosed, lastCallMs }: RoundSteps,
): Promise<RoundEnd> {
  const source = await readSource(db, name)
  if (!source.isOn || source.contact === null || source.haltedAt !== null)
    return { until: undefined, isNightOver: true }
  const now = parts.clock.now()
  const night = nightAt(source, now)
  if (!night) {
    await whileClosed?.(source)
    return { until: nextLook(source, now), isNightOver: true }
  }
  if (source.night !== night.night)
    await db.transaction(
      async (tx) => {
        await parts.confirm(tx)
        if (source.night !== null) await endNight(tx, name, source.night, 'cut_short', night.begins)
        if (begin) await begin(tx, night, now)
        else await beginNight(tx, name, night.night, now)
      },
      { idleTimeoutMs: 0 },
    )
  else if (source.resumeAt !== null && new Date(source.resumeAt) > now)
    return { until: new Date(source.resumeAt), isNightOver: false }
  // Whoever was at it before may have asked just now, and was killed before it could say so.
  await parts.clock.sleep(source.paceMs, parts.signal)
  try {
    return await turn(new PacedRound(db, source, night, parts, lastCallMs))
  } catch (error) {
    if (error instanceof RoundOver) return error.end
    throw error
  }
}
