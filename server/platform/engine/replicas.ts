import { setTimeout as sleep } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { createDb } from './create-db.ts'
import { type Db, DbReadOnly, DbUnavailable, type OpenDb, QueryTimeout, StatementError } from './db.ts'
import { openPostgres } from './postgres.ts'
import { type LogPosition, presentLook, presentReading, type Reading, readLogPosition } from './replica-reads.ts'
import { asOwner } from './tenant.ts'

/** A replica that is further behind answers nobody; what others wrote shows after this time at the latest. */
const MOST_LAG_MS = 2_000
/** How often primary and replicas are asked where they are. */
const LOOK_EVERY_MS = 500
const LOOK_AGAIN_MS = 20 // a replica that was found behind is not asked again by the next question before this
/** Where a replica is says one statement of no work: longer, and the primary answers instead. */
const LOOK_LIMIT_MS = 1_000
/** Without a primary a replica that confirmed what its asker wrote replays it in a moment: so long that is waited for. */
const REPLAYED_WITHIN_MS = 1_000

/** Read-only (a statement that writes), or cancelled because what it looked at was cleared away on the primary: the primary can answer both. */
const PRIMARY_CAN = new Set(['25006', '40001'])

/**
 * Where the next record will begin, less the head of the page when it will be the first one there: 24 bytes, 40 in a new file. A replica that has replayed everything
 * stands before that head.
 */
const POSITION = sql`
  select ('0/0'::pg_lsn + at - case when mod(at, segment) = 40 then 40 when mod(at, 8192) = 24 then 24 else 0 end)::text as at
  from (select pg_current_wal_insert_lsn() - '0/0'::pg_lsn as at, pg_size_bytes(current_setting('wal_segment_size')) as segment) here`

export type ReplicaFigures = {
  /** Whether it answers, and is a replica. */
  readonly isUp: boolean
  /** Bytes of the log that it has not replayed, when both were last asked. */
  readonly lagBytes: number
  /** Answers that began on it. */
  readonly answers: number
  /** Statements that the primary repeated: it died, or could not. */
  readonly repeated: number
}

export type Replicas = {
  /** The primary; what is read inside of `readingFromReplicas` comes from a replica. Closing it closes them all. */
  readonly db: OpenDb
  /** Where the primary is now; all that was acknowledged before lies behind it. */
  position(): Promise<LogPosition>
  /** In the order of the addresses. */
  figures(): readonly ReplicaFigures[]
  /** Answers that no replica was fit for. */
  passedOver(): number
  /** Whether a replica would answer what is only asked if there were no primary. */
  hasStandIn(): boolean
}

type Moment = { readonly at: number; readonly position: LogPosition }

/**
 * Lets replicas of `primary` (PostgreSQL, streaming) answer what is only read. One is asked when it has all that its asker has written and is at most two seconds
 * behind; else the next, else the primary. One that dies costs no error: the statement is read again from the primary. Addresses that do not answer yet
 * are tried again and again; nothing rejects because of them.
 */
export async function openReplicas(primary: OpenDb, urls: readonly string[]): Promise<Replicas> {
  const replicas = await Promise.all(urls.map(async (url) => new Replica(createDb(await openPostgres(url)))))
  const stopping = new AbortController()
  let passedOver = 0
  /** Where the primary was, the oldest first; the first is older than `MOST_LAG_MS`, once there is one. */
  const moments: Moment[] = []
  /** Whether it answered when it was last asked anything. */
  let isPrimaryUp = true

  async function position(): Promise<LogPosition> {
    return await asOwner(async () => {
      const [row] = await primary.query<{ at: string }>(POSITION)
      return readLogPosition(row!.at)!
    })
  }

  async function lookAtPrimary(): Promise<void> {
    const at = performance.now()
    const there = await position().catch(() => undefined)
    isPrimaryUp = there !== undefined
    if (there === undefined) return
    moments.push({ position: there, at })
    while (moments.length > 1 && moments[1]!.at <= at - MOST_LAG_MS) moments.shift()
  }

  /** One that does not answer holds up no look at the others. */
  async function lookAgain(look: () => Promise<void>): Promise<void> {
    while (!stopping.signal.aborted) {
      await look()
      await sleep(LOOK_EVERY_MS, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined)
    }
  }

  /** Undefined: the primary. */
  async function chosenFor(reading: Reading | undefined): Promise<Replica | undefined> {
    if (reading === undefined || reading.replica === 'primary') return undefined
    if (reading.replica !== undefined) return replicas[reading.replica]
    const floor = moments[0]?.position
    const least = floor === undefined || reading.atLeast > floor ? reading.atLeast : floor
    const first = placeOf(reading.asker, replicas.length)
    for (let step = 0; step < replicas.length; step += 1) {
      const place = (first + step) % replicas.length
      if (!(floor !== undefined && (await replicas[place]!.hasReached(least)))) continue
      // Two statements of one answer may choose at once: the first choice holds for both.
      if (reading.replica === undefined) {
        reading.replica = place
        replicas[place]!.answers += 1
      }
      return await chosenFor(reading)
    }
    if (reading.replica !== undefined) return await chosenFor(reading)
    reading.replica = 'primary'
    passedOver += 1
    return undefined
  }

  /**
   * Who answers while there is no primary: the replica that is furthest, when that has what the primary had at the last look but one, half a second to a second before it
   * was last heard. A session that was ended before is ended there too. What the very last look saw may have died with the primary, unacknowledged.
   */
  function standIn(): Replica | undefined {
    const furthest = replicas.toSorted((a, b) => Number((b.has ?? -1n) - (a.has ?? -1n)))[0]
    const least = (moments.at(-2) ?? moments.at(-1))?.position
    return furthest?.has !== undefined && least !== undefined && furthest.has >= least ? furthest : undefined
  }

  async function askStandIn<T>(replica: Replica, work: (db: Db) => Promise<T>): Promise<T> {
    try {
      return await work(replica.db)
    } catch (error) {
      if (error instanceof DbUnavailable) {
        replica.lose()
        const next = await standInWith(presentLook() ?? 0n, 0)
        if (next) return await askStandIn(next, work)
      }
      // A question that writes in passing.
      if (error instanceof StatementError && PRIMARY_CAN.has(error.code)) throw new DbReadOnly(error.message)
      throw error
    }
  }

  /** The one that stands in, once it has what the asker wrote. Undefined: none does. */
  async function standInWith(atLeast: LogPosition, withinMs = REPLAYED_WITHIN_MS): Promise<Replica | undefined> {
    for (const until = performance.now() + withinMs; ; await sleep(LOOK_AGAIN_MS)) {
      const furthest = standIn()
      if (furthest === undefined || furthest.has! >= atLeast) return furthest
      if (performance.now() >= until) return undefined
      await furthest.look()
    }
  }

  async function askPrimary<T>(work: (db: Db) => Promise<T>): Promise<T> {
    const atLeast = presentLook()
    if (atLeast === undefined) return await write(() => work(primary))
    // Not each question has to wait until nobody answers it.
    const wasUp = isPrimaryUp
    const instead = wasUp ? undefined : await standInWith(atLeast)
    if (instead) return await askStandIn(instead, work)
    try {
      return await work(primary)
    } catch (error) {
      if (!(error instanceof DbUnavailable)) throw error
      isPrimaryUp = false
      // Who has waited for a replica to replay what they wrote does not wait again.
      const furthest = await standInWith(atLeast, wasUp ? REPLAYED_WITHIN_MS : 0)
      if (!furthest) throw error
      return await askStandIn(furthest, work)
    }
  }

  async function read<T>(work: (db: Db) => Promise<T>): Promise<T> {
    const reading = presentReading()
    const replica = await chosenFor(reading)
    if (replica === undefined || reading === undefined) return await askPrimary(work)
    try {
      return await work(replica.db)
    } catch (error) {
      if (!replica.isToRepeat(error)) throw error
      reading.replica = 'primary'
      return await askPrimary(work)
    }
  }

  async function write<T>(work: () => Promise<T>): Promise<T> {
    const reading = presentReading()
    // What it reads next may be what it wrote.
    if (reading) reading.replica = 'primary'
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof DbUnavailable)) throw error
      isPrimaryUp = false
      throw standIn() ? new DbReadOnly(error.message) : error
    }
  }

  // One that is away holds the start up for as long as a connection may take.
  await Promise.allSettled([lookAtPrimary(), ...replicas.map((replica) => replica.look())])
  const looking = [lookAtPrimary, ...replicas.map((replica) => () => replica.look())].map(lookAgain)
  return {
    db: {
      ...primary,
      query: (statement, options) => read((db) => db.query(statement, options)),
      execute: (statement, options) => write(() => primary.execute(statement, options)),
      script: (text) => write(() => primary.script(text)),
      transaction: (work, options) =>
        options?.readOnly
          ? read((db) => db.transaction(work, options))
          : write(() => primary.transaction(work, options)),
      async close() {
        stopping.abort()
        await Promise.all(looking)
        await Promise.all([primary.close(), ...replicas.map(({ db }) => db.close())])
      },
    },
    position,
    figures: () => replicas.map((replica) => replica.figures(moments.at(-1)?.position ?? 0n)),
    passedOver: () => passedOver,
    hasStandIn: () => standIn() !== undefined,
  }
}

/** One and the same place for one asker, spread evenly over many. */
function placeOf(asker: string, count: number): number {
  let hash = 0
  for (const character of asker) hash = (hash * 31 + character.codePointAt(0)!) % 1_000_003
  return hash % count
}

class Replica {
  readonly db: OpenDb
  answers = 0
  #repeated = 0
  /** How far it has replayed; undefined: it does not answer, or is no replica (any more). */
  #position: LogPosition | undefined
  /** The same, and of one that was promoted how far it has come since: the way to the primary may not lead there yet. */
  has: LogPosition | undefined
  #lookedAt = Number.NEGATIVE_INFINITY
  #looking: Promise<void> | undefined

  constructor(db: OpenDb) {
    this.db = db
  }

  figures(primary: LogPosition): ReplicaFigures {
    const lag = this.#position === undefined || this.#position > primary ? 0n : primary - this.#position
    const { answers } = this
    return { isUp: this.#position !== undefined, lagBytes: Number(lag), answers, repeated: this.#repeated }
  }

  /** Asks it where it is. Never rejects. */
  async look(): Promise<void> {
    this.#looking ??= this.#ask().finally(() => {
      this.#lookedAt = performance.now()
      this.#looking = undefined
    })
    await this.#looking
  }

  async #ask(): Promise<void> {
    try {
      const [row] = await asOwner(() =>
        this.db.query<{ at: string | null; has: string | null }>(
          sql`
            select case when pg_is_in_recovery() then pg_last_wal_replay_lsn()::text end as at,
              (case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_insert_lsn() end)::text as has`,
          { timeoutMs: LOOK_LIMIT_MS },
        ),
      )
      this.#position = row?.at == null ? undefined : readLogPosition(row.at)
      this.has = row?.has == null ? undefined : readLogPosition(row.has)
    } catch (error) {
      this.#position = undefined
      // One that is slow has what it had, and is better than nobody.
      if (!(error instanceof QueryTimeout)) this.has = undefined
    }
  }

  /** Whether it has replayed the log up to there. One that did not answer when it was last asked is not waited for. */
  async hasReached(position: LogPosition): Promise<boolean> {
    if (this.#position === undefined) return false
    if (this.#position < position && performance.now() - this.#lookedAt > LOOK_AGAIN_MS) await this.look()
    return this.#position !== undefined && this.#position >= position
  }

  /** It does not answer. */
  lose(): void {
    this.#position = undefined
    this.has = undefined
  }

  /** Whether the primary is to be asked instead, because of this error. One that is away is left alone until it has answered a look. */
  isToRepeat(error: unknown): boolean {
    const isAway = error instanceof DbUnavailable
    if (!isAway && !(error instanceof StatementError && PRIMARY_CAN.has(error.code))) return false
    if (isAway) this.lose()
    this.#repeated += 1
    return true
  }
}
