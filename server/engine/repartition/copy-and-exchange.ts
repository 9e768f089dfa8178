import { setTimeout as sleep } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { type Db, StatementError } from '../db.ts'
import {
  beginCopy,
  type Copy,
  copyBatch,
  countDifferences,
  dropCopies,
  progressOf,
  type Shape,
  shapeOf,
} from './copy-sql.ts'
import { exchange, isHeld, isStillSeenBefore, notValidated, validate } from './exchange-sql.ts'

/** Why a table was not divided, in a sentence. */
export class RepartitionRefused extends Error {
  override readonly name = 'RepartitionRefused'
}

export type SplitProgress = {
  /** The partition or table that is being copied, and how many were and will be. */
  readonly partition: string
  readonly done: number
  readonly total: number
  readonly phase: 'copy' | 'compare' | 'wait' | 'swap' | 'validate'
  /** Copied so far. */
  readonly rows: number
}
/** What copying asks for. `batch`: rows of a transaction; they are locked against changes for as long as copying them takes (5,000: a twentieth of a second). */
export type CopyOptions = {
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
 * Makes these copies and puts each into the place of its source, one after the other, while servers and workers of this version and of the one before keep running. For each: copy the rows in small
 * batches while a trigger repeats later writes, compare both, and exchange them in one short transaction. The table is complete at every moment, also after a kill; the next call continues after the
 * last batch. Rejects with `RepartitionRefused`.
 */
export async function copyAndExchange(db: Db, copies: readonly Copy[], options: CopyOptions): Promise<SplitReport> {
  const started = performance.now()
  const total = { rows: 0, longestSwapMs: 0 }
  for (const [done, copy] of copies.entries()) {
    const say = (phase: SplitProgress['phase'], rows: number) =>
      options.onProgress?.({ partition: copy.source, done, total: copies.length, phase, rows })
    const { rows, swapMs } = await exchangeOne(db, copy, options, say)
    total.rows += rows
    total.longestSwapMs = Math.max(total.longestSwapMs, swapMs)
    say('validate', rows)
    await validateReferences(db, [copy.table], options.signal)
  }
  return { divided: copies.length, ...total, seconds: (performance.now() - started) / 1000 }
}

/** References that were exchanged hold for old rows too once they were read; a killed call leaves that to the next one. */
export async function validateReferences(
  db: Db,
  tables: readonly string[],
  signal?: AbortSignal | undefined,
): Promise<void> {
  for (const reference of await notValidated(db, tables)) await untilFree(db, signal, (tx) => validate(tx, reference))
}

/** Takes away what a command that was not gone on with has left: its trigger costs each write. What was exchanged stays so. */
export async function abandonSplit(db: Db): Promise<void> {
  await untilFree(db, undefined, (tx) => dropCopies(tx))
}

async function exchangeOne(
  db: Db,
  copy: Copy,
  { batch = BATCH, signal }: CopyOptions,
  say: (phase: SplitProgress['phase'], rows: number) => void,
): Promise<{ rows: number; swapMs: number }> {
  const shape = await shapeOf(db, copy.table)
  const isFree = async () => !(await isHeld(db, copy, PATIENCE_MS))
  try {
    let progress = await progressOf(db, shape, copy)
    if (progress === undefined) {
      await untilFree(db, signal, (tx) => beginCopy(tx, shape, copy), isFree)
      progress = { after: null, rows: 0, isWhole: false }
    }
    while (!progress.isWhole) {
      say('copy', progress.rows)
      progress = await untilFree(db, signal, (tx) => copyBatch(tx, shape, copy, batch))
    }
    const { rows } = progress
    await tidyUp(db)
    say('compare', rows)
    await assertEqual(db, shape, copy)
    await untilNobodySeesBefore(db, copy, signal, () => say('wait', rows))
    say('swap', rows)
    let swapMs = 0
    await untilFree(
      db,
      signal,
      async (tx) => {
        const began = performance.now()
        await exchange(tx, copy)
        swapMs = performance.now() - began
      },
      isFree,
    )
    return { rows, swapMs }
  } catch (error) {
    if (error instanceof StatementError && GONE.has(error.code))
      throw new RepartitionRefused(
        `the copy of ${copy.source} was taken away meanwhile, by a migration, a restore or another command: start again`,
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

async function assertEqual(db: Db, shape: Shape, copy: Copy): Promise<void> {
  const differences = await countDifferences(db, shape, copy)
  if (differences === 0) return
  await abandonSplit(db)
  throw new RepartitionRefused(
    `${copy.source} and its copy differ in ${differences} rows: nothing was changed, and the copy is gone. Did somebody switch triggers off?`,
  )
}

async function untilNobodySeesBefore(
  db: Db,
  copy: Copy,
  signal: AbortSignal | undefined,
  onLook: () => void,
): Promise<void> {
  for (;;) {
    signal?.throwIfAborted()
    onLook()
    const isSeen = await isStillSeenBefore(db, copy)
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
