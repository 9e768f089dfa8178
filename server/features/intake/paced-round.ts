import type { Db } from '#server/engine/db.ts'
import { type Fault, faultOf, faultOfStatus, isPage } from './download.ts'
import {
  beginNight,
  countNight,
  endNight,
  haltSource,
  noteRequest,
  type Outcome,
  restAfterRefusal,
  restUntil,
} from './nights.ts'
import type { Outgoing } from './outgoing.ts'
import type { SourceProgress } from './overview.ts'
import type { Clock, RoundEnd } from './run-night.ts'
import { type IntakeSource, readSource, type SourceState } from './sources.ts'
import { type Night, nextNight, nightAt } from './window.ts'

export type RoundParts = {
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly get: Outgoing
  /** Where fetched files wait until they are taken in. */
  readonly dataDir: string
  /** Holds the lease inside `tx`; rejects when it is somebody else's by now. */
  confirm(tx: Db): Promise<void>
  /** Told in the transaction that halts the source: the other side said no. */
  onHalted(tx: Db, reason: string, at: Date): Promise<void>
  progress(value: SourceProgress): void
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
/** Lists of packages and pages of an API; a thousand projects are 2 MB. */
const MOST_JSON_BYTES = 64 * 2 ** 20

/** One turn of a source that is asked over https: its hours, its pace, and what follows when the other side says no. */
export class PacedRound {
  readonly db: Db
  readonly source: SourceState
  readonly night: Night
  readonly parts: RoundParts
  readonly host: string
  readonly #begunAt: number
  #askedAt = Number.NEGATIVE_INFINITY

  constructor(db: Db, source: SourceState, night: Night, parts: RoundParts) {
    this.db = db
    this.source = source
    this.night = night
    this.parts = parts
    this.host = new URL(source.address).host
    this.#begunAt = parts.clock.elapsed()
  }

  get name(): IntakeSource {
    return this.source.source
  }

  now(): Date {
    return this.parts.clock.now()
  }

  isTurnOver = (): boolean => this.parts.clock.elapsed() - this.#begunAt > TURN_MS || this.now() >= this.night.ends

  /** Ends the turn when it has lasted long enough, and the night when its hours are over. */
  async checkTurn(): Promise<void> {
    this.parts.signal.throwIfAborted()
    if (this.now() >= this.night.ends) throw new RoundOver(await this.end('cut_short'))
    if (this.isTurnOver()) throw new RoundOver({ until: this.now(), isNightOver: false })
  }

  /** Waits until the next request may go, and counts it. */
  async takeTurn(): Promise<void> {
    const { clock, signal } = this.parts
    const wait = this.#askedAt + this.source.paceMs - clock.elapsed()
    if (wait > 0) await clock.sleep(wait, signal)
    await this.checkTurn()
    this.#askedAt = clock.elapsed()
    await this.write(async (tx) => {
      await noteRequest(tx, this.name, this.now())
      await countNight(tx, this.name, this.night.night, { requests: 1 })
    })
  }

  async write<T>(work: (tx: Db) => Promise<T>): Promise<T> {
    return await this.db.transaction(async (tx) => {
      await this.parts.confirm(tx)
      return await work(tx)
    })
  }

  /** A document of the other side. What is no answer ends the round, but for `gone`. `refused` may end it in a way of its own. */
  async json(
    address: URL,
    refused?: (reason: string) => Promise<void>,
  ): Promise<{ readonly value: unknown } | undefined> {
    await this.takeTurn()
    const read = await this.#read(address)
    if (read.kind === 'text') {
      try {
        return { value: JSON.parse(read.text) }
      } catch {
        return await this.fault({ kind: 'broken', reason: 'คำตอบไม่ใช่ JSON ที่ครบถ้วน' })
      }
    }
    if (read.kind === 'refused') await refused?.(read.reason)
    return read.kind === 'gone' ? undefined : await this.fault(read)
  }

  async #read(address: URL): Promise<Fault | { readonly kind: 'text'; readonly text: string }> {
    const { signal, get } = this.parts
    try {
      const answer = await get(address, { host: this.host, headers: { accept: 'application/json' }, signal })
      const parts: Buffer[] = []
      let bytes = 0
      for await (const part of answer.body as AsyncIterable<Buffer>) {
        bytes += part.length
        if (bytes > MOST_JSON_BYTES) return { kind: 'forbidden', reason: 'คำตอบใหญ่เกิน 64 MB' }
        parts.push(part)
      }
      const body = Buffer.concat(parts)
      if (answer.status !== 200) return faultOfStatus(answer.status)
      return isPage(body) ? { kind: 'page' } : { kind: 'text', text: body.toString('utf8') }
    } catch (error) {
      return faultOf(error, signal)
    }
  }

  /** What is no answer ends the round: a page or a rule halts the source, all else rests it. */
  async fault(fault: Fault): Promise<never> {
    const reason = 'reason' in fault ? fault.reason : fault.kind
    const end = await this.write(async (tx) => {
      const isTimeout = fault.kind === 'timeout'
      await countNight(tx, this.name, this.night.night, isTimeout ? { timeouts: 1 } : { refusals: 1 })
      if (fault.kind === 'page' || fault.kind === 'forbidden')
        return await this.#haltIn(tx, fault.kind === 'page' ? 'a page came instead of data' : reason)
      const until = await restAfterRefusal(tx, this.name, { now: this.now(), ends: this.night.ends })
      return until ? { until, isNightOver: false } : await this.#endIn(tx, isTimeout ? 'closed' : 'refused')
    })
    throw new RoundOver(end)
  }

  /** Nothing more is asked until an operator has looked. */
  async halt(reason: string): Promise<never> {
    throw new RoundOver(await this.write((tx) => this.#haltIn(tx, reason)))
  }

  async #haltIn(tx: Db, reason: string): Promise<RoundEnd> {
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
    return await this.write((tx) => this.#endIn(tx, outcome))
  }

  async #endIn(tx: Db, outcome: Outcome): Promise<RoundEnd> {
    await endNight(tx, this.name, this.night.night, outcome, this.now())
    await restUntil(tx, this.name, this.night.ends)
    const until = nextNight(this.source, new Date(this.night.ends.getTime() - 1)).begins
    return { until, isNightOver: true }
  }
}

/** Runs one turn of a source within its hours and answers when to look again. */
export async function runPaced(
  db: Db,
  name: IntakeSource,
  parts: RoundParts,
  turn: (round: PacedRound) => Promise<RoundEnd>,
): Promise<RoundEnd> {
  const source = await readSource(db, name)
  if (!source.isOn || source.contact === null || source.haltedAt !== null)
    return { until: undefined, isNightOver: true }
  const now = parts.clock.now()
  const night = nightAt(source, now)
  if (!night) return { until: nextNight(source, now).begins, isNightOver: true }
  if (source.night !== night.night) {
    await db.transaction(async (tx) => {
      await parts.confirm(tx)
      if (source.night !== null) await endNight(tx, name, source.night, 'cut_short', now)
      await beginNight(tx, name, night.night, now)
    })
  } else if (source.resumeAt !== null && new Date(source.resumeAt) > now)
    return { until: new Date(source.resumeAt), isNightOver: false }
  // Whoever was at it before may have asked just now, and was killed before it could say so.
  await parts.clock.sleep(source.paceMs, parts.signal)
  try {
    return await turn(new PacedRound(db, source, night, parts))
  } catch (error) {
    if (error instanceof RoundOver) return error.end
    throw error
  }
}
