import { setTimeout as sleep } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { type Db, StatementError } from '../db.ts'
import {
  beginCopy,
  copyBatch,
  countDifferences,
  dropCopies,
  isHeld,
  isStillSeenBefore,
  type Partition,
  partitionsOf,
  progressOf,
  type Shape,
  shapeOf,
  swap,
} from './partition-sql.ts'

/** Why partitions were not divided, in a sentence. */
export class RepartitionRefused extends Error {
  override readonly name = 'RepartitionRefused'
}

export type SplitProgress = {
  /** The partition that is being divided, and how many were and will be. */
  readonly partition: string
  readonly done: number
  readonly total: number
  readonly phase: 'copy' | 'compare' | 'wait' | 'swap'
  /** Copied so far. */
  readonly rows: number
}
export type SplitRequest = {
  readonly table: string
  /** A multiple of what there is. */
  readonly partitions: number
  /** Rows of a transaction: they are locked against changes for as long as copying them takes (5,000: a twentieth of a second). */
  readonly batch?: number
  readonly onProgress?: (progress: SplitProgress) => void
  readonly signal?: AbortSignal | undefined
}
export type SplitReport = {
  readonly divided: number
  readonly rows: number
  readonly seconds: number
  readonly longestSwapMs: number
}

const BATCH = 5_000
/** So long anybody waits behind us for the table. Below `deadlock_timeout` (1 s), so that of two who wait for each other it is we who give up. */
const PATIENCE_MS = 300
const PAUSE_MS = 500
/** Somebody had what we want within our patience; two waited for each other. */
const TRY_AGAIN = new Set(['55P03', '40P01'])
/** A migration, a restore or a second command has taken the copy away. */
const GONE = new Set(['42P01', '3F000', '42704'])

/**
 * Divides the partitions of a hash-partitioned table, one after the other, while servers and workers of this version and of the one before keep running. For each partition: copy its rows to the
 * new parts in small batches while a trigger repeats later writes, compare both, and exchange them in one short transaction. The table is complete at every moment, also after a kill; the next call
 * continues after the last batch. Rejects with `RepartitionRefused`.
 */
export async function splitPartitions(db: Db, request: SplitRequest): Promise<SplitReport> {
  const { table, partitions } = request
  if (db.engine !== 'postgres')
    throw new RepartitionRefused(
      'the embedded database has one session and needs no more partitions: this is for PostgreSQL',
    )
  const started = performance.now()
  const all = await partitionsOf(db, table)
  if (all === undefined) throw new RepartitionRefused(`${table} is not a table that is partitioned by hash`)
  const odd = all.find(({ modulus }) => partitions % modulus !== 0)
  if (odd !== undefined || !Number.isInteger(partitions) || partitions < 1)
    throw new RepartitionRefused(
      `${table} has partitions of ${[...new Set(all.map(({ modulus }) => modulus))].join(' and ')}: their number becomes a multiple of that, not ${partitions}`,
    )
  const toDivide = all.filter(({ modulus }) => modulus < partitions)
  const total = { rows: 0, longestSwapMs: 0 }
  for (const [done, partition] of toDivide.entries()) {
    const say = (phase: SplitProgress['phase'], rows: number) =>
      request.onProgress?.({ partition: partition.name, done, total: toDivide.length, phase, rows })
    const { rows, swapMs } = await divide(db, request, partition, say)
    total.rows += rows
    total.longestSwapMs = Math.max(total.longestSwapMs, swapMs)
  }
  return { divided: toDivide.length, ...total, seconds: (performance.now() - started) / 1000 }
}

/** Takes away what a command that was not gone on with has left: its trigger costs each write. Partitions that were divided stay so. */
export async function abandonSplit(db: Db): Promise<void> {
  await untilFree(db, undefined, (tx) => dropCopies(tx))
}

async function divide(
  db: Db,
  { table, partitions, batch = BATCH, signal }: SplitRequest,
  partition: Partition,
  say: (phase: SplitProgress['phase'], rows: number) => void,
): Promise<{ rows: number; swapMs: number }> {
  const shape = await shapeOf(db, table)
  const isFree = async () => !(await isHeld(db, table, partition.name, PATIENCE_MS))
  try {
    let progress = await progressOf(db, shape, partition)
    if (progress === undefined) {
      await untilFree(db, signal, (tx) => beginCopy(tx, shape, partition, partitions), isFree)
      progress = { after: null, rows: 0, isWhole: false }
    }
    while (!progress.isWhole) {
      say('copy', progress.rows)
      progress = await untilFree(db, signal, (tx) => copyBatch(tx, shape, partition, batch))
    }
    await tidyUp(db)
    say('compare', progress.rows)
    await assertEqual(db, shape, partition)
    const { rows } = progress
    await untilNobodySeesBefore(db, partition, signal, () => say('wait', rows))
    say('swap', progress.rows)
    let swapMs = 0
    await untilFree(
      db,
      signal,
      async (tx) => {
        const began = performance.now()
        await swap(tx, shape, partition, partitions)
        swapMs = performance.now() - began
      },
      isFree,
    )
    return { rows: progress.rows, swapMs }
  } catch (error) {
    if (error instanceof StatementError && GONE.has(error.code))
      throw new RepartitionRefused(
        `the copy of ${partition.name} was taken away meanwhile, by a migration, a restore or another command: start again`,
        { cause: error },
      )
    throw error
  }
}

/** The planner knows the parts before they are asked, and index-only scans need not visit their rows. */
async function tidyUp(db: Db): Promise<void> {
  const [row] = await db.query<{ name: string }>(
    sql`select quote_ident(current_schema() || '_partitions') || '.whole' as name`,
  )
  await db.script(`vacuum (analyze) ${row!.name}`)
}

async function assertEqual(db: Db, shape: Shape, partition: Partition): Promise<void> {
  const differences = await countDifferences(db, shape, partition)
  if (differences === 0) return
  await abandonSplit(db)
  throw new RepartitionRefused(
    `${partition.name} and its copy differ in ${differences} rows: nothing was changed, and the copy is gone. Did somebody switch triggers off?`,
  )
}

async function untilNobodySeesBefore(
  db: Db,
  partition: Partition,
  signal: AbortSignal | undefined,
  onLook: () => void,
): Promise<void> {
  for (;;) {
    signal?.throwIfAborted()
    onLook()
    const isSeen = await isStillSeenBefore(db, partition)
    if (isSeen === null)
      throw new RepartitionRefused(
        'the database user may not see what sessions of other users look at: grant pg_read_all_stats to it for the time of this command',
      )
    if (!isSeen) return
    await sleep(PAUSE_MS, undefined, { signal })
  }
}

/** Does it in one transaction once nobody is in the way; whoever comes meanwhile waits `PATIENCE_MS` at most. */
async function untilFree<T>(
  db: Db,
  signal: AbortSignal | undefined,
  work: (tx: Db) => Promise<T>,
  isFree: () => Promise<boolean> = () => Promise.resolve(true),
): Promise<T> {
  for (;;) {
    signal?.throwIfAborted()
    if (await isFree()) {
      try {
        return await db.transaction(async (tx) => {
          await tx.query(sql`select set_config('lock_timeout', ${`${PATIENCE_MS}ms`}::text, true)`)
          return await work(tx)
        })
      } catch (error) {
        if (!(error instanceof StatementError && TRY_AGAIN.has(error.code))) throw error
      }
    }
    await sleep(PAUSE_MS, undefined, { signal })
  }
}
