import { setTimeout as sleep } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { createDb } from './create-db.ts'
import { type Db, DbReadOnly, DbUnavailable, type OpenDb, QueryTimeout, StatementError } from './db.ts'
import { openPostgres } from './postgres.ts'
import { type LogPosition, presentLook, presentReading, type Reading, readLogPosition } from './replica-reads.ts'
import { asOwner } from './tenant.ts'

/** A replica that lags more serves no reads, so other users' writes become visible within this time. */
const MOST_LAG_MS = 2_000
/** Polling interval for the positions of primary and replicas. */
const LOOK_EVERY_MS = 500
const LOOK_AGAIN_MS = 20 // minimum interval before a lagging replica is polled again by the next request
/** Reading a replica's position is one trivial statement: if it takes longer, the primary answers instead. */
const LOOK_LIMIT_MS = 1_000
/** Without a primary, a replica that confirmed the caller's write replays it shortly: wait up to this long. */
const REPLAYED_WITHIN_MS = 1_000

/**
 * SQLSTATEs for a write on a read-only server, and for a query cancelled because the primary vacuumed its rows: the
 * primary can answer both.
 */
const PRIMARY_CAN = new Set(['25006', '40001'])

/**
 * Where the next WAL record begins, minus the page header if it will be the first record there: 24 bytes, 40 in a new
 * segment. A fully caught-up replica reports the position before that header.
 */
const POSITION = sql`
  select ('0/0'::pg_lsn + at - case when mod(at, segment) = 40 then 40 when mod(at, 8192) = 24 then 24 else 0 end)::text as at
  from (select pg_current_wal_insert_lsn() - '0/0'::pg_lsn as at, pg_size_bytes(current_setting('wal_segment_size')) as segment) here`

export type ReplicaFigures = {
  /** True if it responds and is a replica. */
  readonly isUp: boolean
  /** Bytes of WAL not replayed yet at the last poll. */
  readonly lagBytes: number
  /** Responses that started on it. */
  readonly answers: number
  /** Statements repeated on the primary because the replica died or could not answer. */
  readonly repeated: number
}

export type Replicas = {
  /**
   * Writes go to the primary; reads inside `readingFromReplicas` go to a replica. Closing it closes all connections.
   */
  readonly db: OpenDb
  /** Current WAL position of the primary; everything acknowledged is before it. */
  position(): Promise<LogPosition>
  /** In the order of the URLs. */
  figures(): readonly ReplicaFigures[]
  /** Responses for which no replica qualified. */
  passedOver(): number
  /** True if a replica could serve read-only requests without a primary. */
  hasStandIn(): boolean
}

type Moment = { readonly at: number; readonly position: LogPosition }

/**
 * Lets streaming replicas of `primary` serve reads. A replica qualifies if it has everything its asker has written and
 * lags at most two seconds; otherwise the next one, then the primary. A replica that dies causes no error: the
 * statement is repeated on the primary. Unreachable URLs are retried indefinitely and never reject.
 */
export async function openReplicas(primary: OpenDb, urls: readonly string[]): Promise<Replicas> {
  const replicas = await Promise.all(urls.map(async (url) => new Replica(createDb(await openPostgres(url)))))
  const stopping = new AbortController()
  let passedOver = 0
  /** Positions of the primary, oldest first; the first is older than `MOST_LAG_MS` once that much time has passed. */
  const moments: Moment[] = []
  /** Whether the primary responded to its last query. */
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

  /** Polls each server separately, so that an unresponsive one does not delay the others. */
  async function lookAgain(look: () => Promise<void>): Promise<void> {
    while (!stopping.signal.aborted) {
      await look()
      await sleep(LOOK_EVERY_MS, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined)
    }
  }

  /** Returns undefined for the primary. */
  async function chosenFor(reading: Reading | undefined): Promise<Replica | undefined> {
    if (reading === undefined || reading.replica === 'primary') return undefined
    if (reading.replica !== undefined) return replicas[reading.replica]
    const floor = moments[0]?.position
    const least = floor === undefined || reading.atLeast > floor ? reading.atLeast : floor
    const first = placeOf(reading.asker, replicas.length)
    for (let step = 0; step < replicas.length; step += 1) {
      const place = (first + step) % replicas.length
      if (!(floor !== undefined && (await replicas[place]!.hasReached(least)))) continue
      // Two statements of one response may choose concurrently; the first choice applies to both.
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
   * Returns the replica that serves reads without a primary: the furthest one, if it has reached the second-to-last
   * polled position, half a second to a second before the primary last responded. Sessions ended before that are also
   * ended there. The very last position may include unacknowledged writes that died with the primary.
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
      // The request also tried to write.
      if (error instanceof StatementError && PRIMARY_CAN.has(error.code)) throw new DbReadOnly(error.message)
      throw error
    }
  }

  /** Returns the stand-in once it has the caller's writes; undefined if there is none. */
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
    // When the primary is known to be down, skip waiting for its timeout.
    const wasUp = isPrimaryUp
    const instead = wasUp ? undefined : await standInWith(atLeast)
    if (instead) return await askStandIn(instead, work)
    try {
      return await work(primary)
    } catch (error) {
      if (!(error instanceof DbUnavailable)) throw error
      isPrimaryUp = false
      // A caller that already waited for a replica to catch up does not wait again.
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
    // Later reads must see this write.
    if (reading) reading.replica = 'primary'
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof DbUnavailable)) throw error
      isPrimaryUp = false
      throw standIn() ? new DbReadOnly(error.message) : error
    }
  }

  // An unreachable server delays the start by one connection timeout.
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

/** Maps an asker to a fixed replica index, evenly distributed. */
function placeOf(asker: string, count: number): number {
  let hash = 0
  for (const character of asker) hash = (hash * 31 + character.codePointAt(0)!) % 1_000_003
  return hash % count
}

class Replica {
  readonly db: OpenDb
  answers = 0
  #repeated = 0
  /** Replayed WAL position; undefined: it does not respond, or is not (or no longer) a replica. */
  #position: LogPosition | undefined
  /**
   * Like `#position`, but also set for a promoted replica (its current position), because the primary connection may
   * not point to it yet.
   */
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

  /** Polls its position. Never rejects. */
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
      // A slow replica retains its last position, which is better than none.
      if (!(error instanceof QueryTimeout)) this.has = undefined
    }
  }

  /** Whether it has replayed the WAL up to `position`. Does not wait for a replica that failed its last poll. */
  async hasReached(position: LogPosition): Promise<boolean> {
    if (this.#position === undefined) return false
    if (this.#position < position && performance.now() - this.#lookedAt > LOOK_AGAIN_MS) await this.look()
    return this.#position !== undefined && this.#position >= position
  }

  lose(): void {
    this.#position = undefined
    this.has = undefined
  }

  /**
   * Whether to repeat the statement on the primary after this error. An unreachable replica is skipped until it
   * responds to a poll.
   */
  isToRepeat(error: unknown): boolean {
    const isAway = error instanceof DbUnavailable
    if (!isAway && !(error instanceof StatementError && PRIMARY_CAN.has(error.code))) return false
    if (isAway) this.lose()
    this.#repeated += 1
    return true
  }
}
