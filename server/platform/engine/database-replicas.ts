import { setTimeout as sleep } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { createDb } from './create-db.ts'
import { type Db, DbReadOnlyError, DbUnavailableError, type OpenDb, QueryTimeoutError, StatementError } from './db.ts'
import { openPostgres } from './postgres.ts'
import {
  getReadOnlyWalPosition,
  getReplicaReadContext,
  parseWalPosition,
  type ReplicaReadContext,
  type WalPosition,
} from './replica-reads.ts'
import { runWithoutTenant } from './tenant.ts'

/** A replica that lags by more serves no reads, so the writes of other users become visible within this time. */
const MAX_LAG_MS = 2_000
const POLL_INTERVAL_MS = 500
const MIN_POLL_INTERVAL_MS = 20
/** Reading a replica's position is one trivial statement: if it takes longer, the primary answers instead. */
const POLL_TIMEOUT_MS = 1_000
/** How long to wait, without a primary, for a replica that received the caller's write to replay it. */
const MAX_REPLAY_WAIT_MS = 1_000

/**
 * SQLSTATEs after which a statement is repeated on the primary: a write on a read-only server, and a query cancelled on
 * the replica because the primary vacuumed its rows.
 */
const RETRY_ON_PRIMARY = new Set(['25006', '40001'])

/**
 * SQL that returns the position of the next WAL record. If that record will be the first on its page, subtracts the
 * page header (24 bytes, 40 in a new segment), because a replica that has caught up reports the position before that
 * header.
 */
const POSITION = sql`
  select ('0/0'::pg_lsn + at - case when mod(at, segment) = 40 then 40 when mod(at, 8192) = 24 then 24 else 0 end)::text as at
  from (select pg_current_wal_insert_lsn() - '0/0'::pg_lsn as at, pg_size_bytes(current_setting('wal_segment_size')) as segment) here`

export type DatabaseReplicaMetrics = {
  readonly isUp: boolean
  /** Bytes of WAL that the replica had not replayed at the last poll. */
  readonly lagBytes: number
  readonly answers: number
  /** Number of statements repeated on the primary because the replica died or could not answer. */
  readonly repeated: number
}

export type DatabaseReplicas = {
  /**
   * The database to use: writes go to the primary, reads inside `withReplicaReads` to a replica. Closing it closes all
   * connections.
   */
  readonly db: OpenDb
  /** Returns the current WAL position of the primary; every acknowledged write is before it. */
  position(): Promise<WalPosition>
  figures(): readonly DatabaseReplicaMetrics[]
  /** Returns the number of responses for which no replica qualified. */
  primaryFallbacks(): number
  hasStandIn(): boolean
}

type PositionSample = { readonly at: number; readonly position: WalPosition }

/**
 * Lets streaming replicas of `primary` serve reads. A replica qualifies if it has every write by the client and lags at
 * most two seconds; otherwise the next one serves, then the primary. A replica that dies causes no error: the statement
 * is repeated on the primary. Unreachable URLs never reject and are retried indefinitely.
 */
export async function openDatabaseReplicas(primary: OpenDb, urls: readonly string[]): Promise<DatabaseReplicas> {
  const replicas = await Promise.all(urls.map(async (url) => new Replica(createDb(await openPostgres(url)))))
  const stopping = new AbortController()
  let primaryFallbacks = 0
  /**
   * Recent WAL positions of the primary, oldest first. Once `MAX_LAG_MS` has passed since startup, the first one is
   * that old.
   */
  const samples: PositionSample[] = []
  let isPrimaryUp = true

  async function position(): Promise<WalPosition> {
    return await runWithoutTenant(async () => {
      const [row] = await primary.query<{ at: string }>(POSITION)
      return parseWalPosition(row!.at)!
    })
  }

  async function pollPrimary(): Promise<void> {
    const at = performance.now()
    const polled = await position().catch(() => undefined)
    isPrimaryUp = polled !== undefined
    if (polled === undefined) return
    samples.push({ position: polled, at })
    while (samples.length > 1 && samples[1]!.at <= at - MAX_LAG_MS) samples.shift()
  }

  async function pollRepeatedly(poll: () => Promise<void>): Promise<void> {
    while (!stopping.signal.aborted) {
      await poll()
      await sleep(POLL_INTERVAL_MS, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined)
    }
  }

  async function chooseReplica(reading: ReplicaReadContext | undefined): Promise<Replica | undefined> {
    if (reading === undefined || reading.replica === 'primary') return undefined
    if (reading.replica !== undefined) return replicas[reading.replica]
    const floor = samples[0]?.position
    const minimum = floor === undefined || reading.atLeast > floor ? reading.atLeast : floor
    const start = replicaIndexFor(reading.clientId, replicas.length)
    for (let step = 0; step < replicas.length; step += 1) {
      const index = (start + step) % replicas.length
      if (!(floor !== undefined && (await replicas[index]!.hasReached(minimum)))) continue
      // Another statement of the same response may have chosen a replica meanwhile; the first choice applies to both.
      if (reading.replica === undefined) {
        reading.replica = index
        replicas[index]!.answers += 1
      }
      return await chooseReplica(reading)
    }
    if (reading.replica !== undefined) return await chooseReplica(reading)
    reading.replica = 'primary'
    primaryFallbacks += 1
    return undefined
  }

  /**
   * Returns the replica that serves reads without a primary: the most advanced one, if it has reached the
   * second-to-last polled position, which is half a second to a second older than the primary's last response. Sessions
   * that ended before that position have ended on the replica too. The last polled position may include unacknowledged
   * writes that were lost with the primary.
   */
  function findStandIn(): Replica | undefined {
    const furthest = replicas.toSorted((a, b) => Number((b.reached ?? -1n) - (a.reached ?? -1n)))[0]
    const minimum = (samples.at(-2) ?? samples.at(-1))?.position
    return furthest?.reached !== undefined && minimum !== undefined && furthest.reached >= minimum
      ? furthest
      : undefined
  }

  async function queryStandIn<T>(replica: Replica, work: (db: Db) => Promise<T>): Promise<T> {
    try {
      return await work(replica.db)
    } catch (error) {
      if (error instanceof DbUnavailableError) {
        replica.markLost()
        const next = await awaitStandIn(getReadOnlyWalPosition() ?? 0n, 0)
        if (next) return await queryStandIn(next, work)
      }
      if (error instanceof StatementError && RETRY_ON_PRIMARY.has(error.code)) throw new DbReadOnlyError(error.message)
      throw error
    }
  }

  /**
   * Returns the stand-in once it has replayed the caller's writes; undefined if there is none or that takes too long.
   */
  async function awaitStandIn(atLeast: WalPosition, maxWaitMs = MAX_REPLAY_WAIT_MS): Promise<Replica | undefined> {
    for (const until = performance.now() + maxWaitMs; ; await sleep(MIN_POLL_INTERVAL_MS)) {
      const furthest = findStandIn()
      if (furthest === undefined || furthest.reached! >= atLeast) return furthest
      if (performance.now() >= until) return undefined
      await furthest.poll()
    }
  }

  async function queryPrimary<T>(work: (db: Db) => Promise<T>): Promise<T> {
    const atLeast = getReadOnlyWalPosition()
    if (atLeast === undefined) return await write(() => work(primary))
    const wasUp = isPrimaryUp
    const fallback = wasUp ? undefined : await awaitStandIn(atLeast)
    if (fallback) return await queryStandIn(fallback, work)
    try {
      return await work(primary)
    } catch (error) {
      if (!(error instanceof DbUnavailableError)) throw error
      isPrimaryUp = false
      const furthest = await awaitStandIn(atLeast, wasUp ? MAX_REPLAY_WAIT_MS : 0)
      if (!furthest) throw error
      return await queryStandIn(furthest, work)
    }
  }

  async function read<T>(work: (db: Db) => Promise<T>): Promise<T> {
    const reading = getReplicaReadContext()
    const replica = await chooseReplica(reading)
    if (replica === undefined || reading === undefined) return await queryPrimary(work)
    try {
      return await work(replica.db)
    } catch (error) {
      if (!replica.shouldRepeat(error)) throw error
      reading.replica = 'primary'
      return await queryPrimary(work)
    }
  }

  async function write<T>(work: () => Promise<T>): Promise<T> {
    const reading = getReplicaReadContext()
    if (reading) reading.replica = 'primary'
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof DbUnavailableError)) throw error
      isPrimaryUp = false
      throw findStandIn() ? new DbReadOnlyError(error.message) : error
    }
  }

  await Promise.allSettled([pollPrimary(), ...replicas.map((replica) => replica.poll())])
  const polling = [pollPrimary, ...replicas.map((replica) => () => replica.poll())].map(pollRepeatedly)
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
        await Promise.all(polling)
        await Promise.all([primary.close(), ...replicas.map(({ db }) => db.close())])
      },
    },
    position,
    figures: () => replicas.map((replica) => replica.figures(samples.at(-1)?.position ?? 0n)),
    primaryFallbacks: () => primaryFallbacks,
    hasStandIn: () => findStandIn() !== undefined,
  }
}

function replicaIndexFor(clientId: string, count: number): number {
  let hash = 0
  for (const character of clientId) hash = (hash * 31 + character.codePointAt(0)!) % 1_000_003
  return hash % count
}

class Replica {
  readonly db: OpenDb
  answers = 0
  #repeated = 0
  /**
   * WAL position that the replica has replayed; undefined if the server does not respond or is not (or no longer) a
   * replica.
   */
  #position: WalPosition | undefined
  /**
   * Like `#position`, but also set after the replica was promoted (to its current position), because the primary
   * connection may not lead to the promoted server yet.
   */
  reached: WalPosition | undefined
  #polledAt = Number.NEGATIVE_INFINITY
  #polling: Promise<void> | undefined

  constructor(db: OpenDb) {
    this.db = db
  }

  figures(primary: WalPosition): DatabaseReplicaMetrics {
    const lag = this.#position === undefined || this.#position > primary ? 0n : primary - this.#position
    const { answers } = this
    return { isUp: this.#position !== undefined, lagBytes: Number(lag), answers, repeated: this.#repeated }
  }

  async poll(): Promise<void> {
    this.#polling ??= this.#readPosition().finally(() => {
      this.#polledAt = performance.now()
      this.#polling = undefined
    })
    await this.#polling
  }

  async #readPosition(): Promise<void> {
    try {
      const [row] = await runWithoutTenant(() =>
        this.db.query<{ at: string | null; has: string | null }>(
          sql`
            select case when pg_is_in_recovery() then pg_last_wal_replay_lsn()::text end as at,
              (case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_insert_lsn() end)::text as has`,
          { timeoutMs: POLL_TIMEOUT_MS },
        ),
      )
      this.#position = row?.at == null ? undefined : parseWalPosition(row.at)
      this.reached = row?.has == null ? undefined : parseWalPosition(row.has)
    } catch (error) {
      this.#position = undefined
      // A replica that is merely slow retains its last position, which is better than none.
      if (!(error instanceof QueryTimeoutError)) this.reached = undefined
    }
  }

  /** True if the replica has replayed the WAL up to `position`. Does not wait for a replica whose last poll failed. */
  async hasReached(position: WalPosition): Promise<boolean> {
    if (this.#position === undefined) return false
    if (this.#position < position && performance.now() - this.#polledAt > MIN_POLL_INTERVAL_MS) await this.poll()
    return this.#position !== undefined && this.#position >= position
  }

  markLost(): void {
    this.#position = undefined
    this.reached = undefined
  }

  shouldRepeat(error: unknown): boolean {
    const isUnreachable = error instanceof DbUnavailableError
    if (!isUnreachable && !(error instanceof StatementError && RETRY_ON_PRIMARY.has(error.code))) return false
    if (isUnreachable) this.markLost()
    this.#repeated += 1
    return true
  }
}
