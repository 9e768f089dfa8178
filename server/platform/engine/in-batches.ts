import { setImmediate as turn } from 'node:timers/promises'

/** How fast work may go that uses all of a machine. */
export type Pace = {
  /** One thing at a time. */
  isSlow(): boolean
  /** Does the work at once, or when all other work that was given to it before is done. It must not wait for such work itself. */
  run<T>(work: () => Promise<T>): Promise<T>
}
export const FULL_PACE: Pace = { isSlow: () => false, run: (work) => work() }

/** The three steps of work that goes through many rows. */
type Steps<Rows, Ready> = {
  /** The next rows behind those before (`undefined`: the first ones); `undefined` when there are none. */
  readonly read: (before: Rows | undefined) => Promise<Rows | undefined>
  /** Makes of rows what is to be written; in this process. */
  readonly prepare: (rows: Rows) => Promise<Ready> | Ready
  readonly write: (ready: Ready) => Promise<void>
}

/**
 * Goes through rows in batches, three of which are under way at once: while one is prepared, the next is read and the one before is written. So neither
 * this process nor the database waits for the other. Batches are written one after the other, in the order in which they were read; a batch is read before
 * the two in front of it are written. Resolves when all is written. A failure is thrown only when every step that was begun has ended: no statement
 * outlives the transaction, and the next call does not meet what is left of this one. At a slow pace one step is done at a time.
 */
export async function inBatches<Rows, Ready>(
  { read, prepare, write }: Steps<Rows, Ready>,
  pace: Pace = FULL_PACE,
): Promise<void> {
  const readOn = (before: Rows | undefined) => begun(pace.run(() => read(before)))
  let reading = readOn(undefined)
  let writing: Promise<void> = Promise.resolve()
  try {
    for (let rows = await reading; rows !== undefined; rows = await reading) {
      reading = readOn(rows)
      const ready = await pace.run(async () => await prepare(rows!))
      await writing
      writing = begun(pace.run(() => write(ready)))
    }
    await writing
  } finally {
    await Promise.allSettled([reading, writing])
  }
}

/** Its failure is thrown where it is waited for; until then it must not count as unhandled. */
export function begun<T>(work: Promise<T>): Promise<T> {
  work.catch(() => undefined)
  return work
}

/** The step that reads at most `limit` rows behind the last one before. Fewer are the end, so that a small batch costs one question. */
export function behind<Row>(
  limit: number,
  read: (last: Row | undefined) => Promise<readonly Row[]>,
): (before: readonly Row[] | undefined) => Promise<readonly Row[] | undefined> {
  return async (before) => {
    if (before !== undefined && before.length < limit) return undefined
    const rows = await read(before?.at(-1))
    return rows.length === 0 ? undefined : rows
  }
}

/** The step that reads what belongs to the next `size` ids of a list. A slice may find nothing and is not the end. */
export function slices<Row>(
  ids: readonly string[],
  size: number,
  read: (ids: readonly string[]) => Promise<readonly Row[]>,
): () => Promise<readonly Row[] | undefined> {
  let at = 0
  return async () => {
    if (at >= ids.length) return undefined
    at += size
    return await read(ids.slice(at - size, at))
  }
}

/** A list in slices of `size`. */
export function* slicesOf<T>(all: readonly T[], size: number): Generator<readonly T[]> {
  for (let at = 0; at < all.length; at += size) yield all.slice(at, at + size)
}

/** Reads what belongs to each slice, one slice ahead of the consumer: while it writes rows, the database reads the next. Nothing is read before the first is asked for. */
export async function* readAhead<Slice, Rows>(
  slices: Iterable<Slice>,
  read: (slice: Slice) => Promise<Rows>,
): AsyncGenerator<Rows> {
  let reading: Promise<Rows> | undefined
  try {
    for (const slice of slices) {
      const before = reading && (await reading)
      reading = begun(read(slice))
      if (before !== undefined) yield before
    }
    if (reading) yield await reading
  } finally {
    await Promise.allSettled([reading])
  }
}

/**
 * Rows of one batch worked out between two turns of the event loop, and the time after which the turn is given in any case: a project that a thousand organisations watch
 * takes 1.4 ms to be matched, and the database waited 70 ms in the middle for its next statement.
 */
const ROWS_A_TURN = 100
const MS_A_TURN = 3

/** `map`, with turns for others in between. */
export async function mapInTurns<Row, Made>(rows: readonly Row[], make: (row: Row) => Made): Promise<Made[]> {
  const made: Made[] = []
  let endsAt = performance.now() + MS_A_TURN
  for (const row of rows) {
    made.push(make(row))
    if (made.length % ROWS_A_TURN !== 0 && performance.now() < endsAt) continue
    await turn()
    endsAt = performance.now() + MS_A_TURN
  }
  return made
}

/** Does them beside each other, at a slow pace one after the other. */
export async function allAt(pace: Pace, work: readonly (() => Promise<unknown>)[]): Promise<void> {
  if (!pace.isSlow()) return await allEnded(work.map((one) => one()))
  for (const one of work) await one()
}

/** Waits for all. A failure is thrown only when all have ended: the next call must not meet what is left of this one. */
export async function allEnded(work: readonly (Promise<unknown> | false)[]): Promise<void> {
  await Promise.allSettled(work)
  await Promise.all(work)
}
