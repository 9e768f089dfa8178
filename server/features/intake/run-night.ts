import sql from 'sql-template-tag'
import { bangkokToday } from '#contract/thai/thai-date.ts'
import type { Db } from '#server/engine/db.ts'
import { type Ask, TIME_LIMIT_MS } from './ask-feed.ts'
import { countNight, endNight, haltSource, noteRequest, type Outcome, restAfterRefusal } from './nights.ts'
import { planNight } from './plan-night.ts'
import {
  answeredQuestion,
  nextQuestions,
  type Question,
  settleAnswer,
  settleDamage,
  settleTimeout,
} from './questions.ts'
import { type IntakeSource, readSource, type SourceState } from './sources.ts'
import { type Night, nextNight, nextTimeOfDay, nightAt } from './window.ts'

/** Time as the fetcher sees it; tests let nights pass in seconds. */
export type Clock = {
  now(): Date
  /** Milliseconds that nobody sets back or forward: what lies between two requests is measured by it. */
  elapsed(): number
  /** Rejects when `signal` ends it. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
}

export type NightParts = {
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly ask: Ask
  /** Holds the lease inside `tx`; rejects when it is somebody else's by now. */
  confirm(tx: Db): Promise<void>
  /** Told in the transaction that halts the source: the other side said no. */
  onHalted(tx: Db, reason: string, at: Date): Promise<void>
  /** After each question, before the next one may go: time to take over what came. */
  afterQuestion?(): Promise<void>
}

/** When to look again; undefined: not before an operator has switched it on. */
export type RoundEnd = {
  readonly until: Date | undefined
  /** Nothing more comes in this night. */
  readonly isNightOver: boolean
}

const MINUTE_MS = 60_000
/** So many timeouts one after the other: the feed is closed, whatever the hour. Then one question tries every half hour. */
const CLOSED_AFTER = 5
const TRY_CLOSED_MS = 30 * MINUTE_MS
/** A job goes on for so long and then waits for its next turn, at once: what runs for hours looks like what hangs (`jobs_oldest_seconds`). */
const TURN_MS = 5 * MINUTE_MS
/** Read at a time: each is settled by itself. */
const BATCH = 50

/** Does what a source has to do now, one request after another, and answers when to look again. Broken off anywhere, it goes on at the next question. */
export async function runRound(db: Db, name: IntakeSource, parts: NightParts): Promise<RoundEnd> {
  const source = await readSource(db, name)
  if (!source.isOn || source.contact === null || source.haltedAt !== null)
    return { until: undefined, isNightOver: true }
  const now = parts.clock.now()
  const night = nightAt(source, now)
  if (!night) return await outsideTheNight(db, source, parts)
  if (source.night !== night.night) await db.transaction((tx) => begin(tx, source, night, parts), { idleTimeoutMs: 0 })
  else if (source.resumeAt !== null && new Date(source.resumeAt) > now)
    return { until: new Date(source.resumeAt), isNightOver: false }
  // Whoever was at it before may have asked just now, and was killed before it could say so.
  await parts.clock.sleep(source.paceMs, parts.signal)
  return await new Round(db, source, night, parts).run()
}

async function begin(tx: Db, source: SourceState, night: Night, { confirm, clock }: NightParts): Promise<void> {
  await confirm(tx)
  if (source.night !== null) await endNight(tx, source.source, source.night, 'cut_short', night.begins)
  await planNight(tx, source.source, night, clock.now())
}

/** Closed: at most one question at the hour of the probe. */
async function outsideTheNight(db: Db, source: SourceState, { clock, ask, signal }: NightParts): Promise<RoundEnd> {
  const now = clock.now()
  const opens = nextNight(source, now).begins
  if (source.night !== null && source.night < bangkokToday(now))
    await endNight(db, source.source, source.night, 'cut_short', now)
  if (source.probeAt === null) return { until: opens, isNightOver: true }
  const since = new Date(nextTimeOfDay(source.probeAt, now).getTime() - 24 * 60 * MINUTE_MS)
  const isDue = nightAt(source, since) === undefined && now.getTime() - since.getTime() < 30 * MINUTE_MS
  const question =
    isDue && (source.probedAt === null || new Date(source.probedAt) < since) ? await answeredQuestion(db) : undefined
  if (question) {
    const { kind } = await ask({ ...question, hash: null }, signal)
    const at = now.toISOString()
    await db.execute(sql`
      update intake_sources set probed_at = ${at}::timestamptz, last_request_at = ${at}::timestamptz, probe_answered = ${kind === 'answer'}::boolean
      where source = ${source.source}`)
  }
  const probe = nextTimeOfDay(source.probeAt, now)
  return { until: probe < opens ? probe : opens, isNightOver: true }
}

class Round {
  readonly #db: Db
  readonly #source: SourceState
  readonly #night: Night
  readonly #parts: NightParts
  #askedAt = Number.NEGATIVE_INFINITY
  #startedAt = 0

  constructor(db: Db, source: SourceState, night: Night, parts: NightParts) {
    this.#db = db
    this.#source = source
    this.#night = night
    this.#parts = parts
  }

  async run(): Promise<RoundEnd> {
    if (this.#source.timeoutsInRow >= CLOSED_AFTER) {
      const tried = await this.#tryClosed()
      if (tried) return tried
    }
    const begun = this.#parts.clock.elapsed()
    for (;;) {
      if (this.#parts.clock.elapsed() - begun > TURN_MS) return { until: this.#parts.clock.now(), isNightOver: false }
      const questions = await nextQuestions(this.#db, BATCH)
      if (questions.length === 0) return await this.#end('complete')
      for (const question of questions) {
        if (!(await this.#waitForTurn())) return await this.#end('cut_short')
        const end = await this.#settle(question)
        await this.#parts.afterQuestion?.()
        if (end === 'again') break
        if (end) return end
      }
    }
  }

  /** False when the night is over. */
  async #waitForTurn(): Promise<boolean> {
    const { clock, signal } = this.#parts
    const wait = this.#askedAt + this.#source.paceMs - clock.elapsed()
    if (wait > 0) await clock.sleep(wait, signal)
    signal.throwIfAborted()
    // What is asked is answered before the other side closes.
    return clock.now().getTime() + TIME_LIMIT_MS < this.#night.ends.getTime()
  }

  async #ask(question: Question) {
    const { clock } = this.#parts
    this.#askedAt = clock.elapsed()
    this.#startedAt = clock.now().getTime()
    return await this.#parts.ask(question, this.#parts.signal)
  }

  /** Asks one question and writes down what came of it. 'again': the order of the queue has changed. */
  async #settle(question: Question): Promise<RoundEnd | 'again' | undefined> {
    const { clock, confirm } = this.#parts
    const reply = await this.#ask(question)
    const at = clock.now()
    const told = {
      source: this.#source.source,
      night: this.#night.night,
      at: new Date(this.#startedAt),
      today: bangkokToday(at),
    }
    return await this.#db.transaction(async (tx) => {
      await confirm(tx)
      switch (reply.kind) {
        case 'answer': {
          const { isFull } = await settleAnswer(tx, question, reply.answer, told)
          return isFull ? 'again' : undefined
        }
        case 'timeout': {
          const inRow = await settleTimeout(tx, question, told)
          return inRow >= CLOSED_AFTER ? await this.#closed(tx) : 'again'
        }
        case 'damaged':
          await settleDamage(tx, question, told)
          return undefined
        case 'refused':
          return await this.#refused(tx)
        case 'rejected':
          return await this.#halted(tx, reply.reason)
      }
    })
  }

  /** One question that was answered before; undefined when it is answered again. */
  async #tryClosed(): Promise<RoundEnd | undefined> {
    const question = await answeredQuestion(this.#db)
    if (!question) return undefined
    if (!(await this.#waitForTurn())) return await this.#end('closed')
    const { kind } = await this.#ask(question)
    return await this.#db.transaction(async (tx) => {
      await this.#parts.confirm(tx)
      const isOpen = kind === 'answer'
      await this.#count(tx, { timeouts: isOpen ? 0 : 1 })
      if (isOpen)
        await tx.execute(sql`update intake_sources set timeouts_in_row = 0 where source = ${this.#source.source}`)
      return isOpen ? undefined : await this.#closed(tx)
    })
  }

  async #closed(tx: Db): Promise<RoundEnd> {
    const until = new Date(this.#parts.clock.now().getTime() + TRY_CLOSED_MS)
    return until < this.#night.ends ? await this.#pause(tx, until) : await this.#endIn(tx, 'closed')
  }

  async #refused(tx: Db): Promise<RoundEnd> {
    const now = this.#parts.clock.now()
    await this.#count(tx, { refusals: 1 })
    const until = await restAfterRefusal(tx, this.#source.source, { now, ends: this.#night.ends })
    return until ? { until, isNightOver: false } : await this.#endIn(tx, 'refused')
  }

  async #halted(tx: Db, reason: string): Promise<RoundEnd> {
    const at = this.#parts.clock.now()
    await this.#count(tx, { refusals: 1 })
    await haltSource(tx, this.#source.source, { night: this.#night.night, reason, at })
    await this.#parts.onHalted(tx, reason, at)
    return { until: undefined, isNightOver: true }
  }

  /** One request that brought no answer. */
  async #count(tx: Db, more: { timeouts?: number; refusals?: number }): Promise<void> {
    await countNight(tx, this.#source.source, this.#night.night, { requests: 1, ...more })
    await noteRequest(tx, this.#source.source, new Date(this.#startedAt))
  }

  async #pause(tx: Db, until: Date): Promise<RoundEnd> {
    await tx.execute(
      sql`update intake_sources set resume_at = ${until.toISOString()}::timestamptz where source = ${this.#source.source}`,
    )
    return { until, isNightOver: false }
  }

  async #end(outcome: Outcome): Promise<RoundEnd> {
    return await this.#db.transaction(async (tx) => {
      await this.#parts.confirm(tx)
      return await this.#endIn(tx, outcome)
    })
  }

  /** Nothing more in this night; the hour of the probe comes before the next. */
  async #endIn(tx: Db, outcome: Outcome): Promise<RoundEnd> {
    const now = this.#parts.clock.now()
    await endNight(tx, this.#source.source, this.#night.night, outcome, now)
    await tx.execute(sql`
      update intake_sources set resume_at = ${this.#night.ends.toISOString()}::timestamptz where source = ${this.#source.source}`)
    return { until: this.#night.ends, isNightOver: true }
  }
}
