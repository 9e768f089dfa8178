import { setImmediate as turn } from 'node:timers/promises'

export type WorkThrottle = {
  isSlow(): boolean
  /**
   * Runs the work at once or, at a slow pace, after all work that was queued before. The work must not wait for other
   * queued work.
   */
  run<T>(work: () => Promise<T>): Promise<T>
}
export const UNTHROTTLED_WORK: WorkThrottle = { isSlow: () => false, run: (work) => work() }

type Steps<Rows, Ready> = {
  readonly read: (before: Rows | undefined) => Promise<Rows | undefined>
  readonly prepare: (rows: Rows) => Promise<Ready> | Ready
  readonly write: (ready: Ready) => Promise<void>
}

/**
 * Processes rows in a pipeline of three batches: one is read, one prepared and one written at the same time, so neither
 * this process nor the database idles. Writes run one after another in reading order; a batch is read before the two
 * ahead of it are written. Resolves when everything is written. A failure is thrown only after all started steps have
 * ended, so no statement outlives the transaction. At a slow pace one step runs at a time.
 */
export async function processInBatches<Rows, Ready>(
  { read, prepare, write }: Steps<Rows, Ready>,
  pace: WorkThrottle = UNTHROTTLED_WORK,
): Promise<void> {
  const readNext = (before: Rows | undefined) => suppressUnhandledRejection(pace.run(() => read(before)))
  let reading = readNext(undefined)
  let writing: Promise<void> = Promise.resolve()
  try {
    for (let rows = await reading; rows !== undefined; rows = await reading) {
      reading = readNext(rows)
      const ready = await pace.run(async () => await prepare(rows!))
      await writing
      writing = suppressUnhandledRejection(pace.run(() => write(ready)))
    }
    await writing
  } finally {
    await Promise.allSettled([reading, writing])
  }
}

/** Marks a rejection as handled, so that Node does not report it before the promise is awaited. */
export function suppressUnhandledRejection<T>(work: Promise<T>): Promise<T> {
  work.catch(() => undefined)
  return work
}

/**
 * Returns a read step for `processInBatches` that fetches at most `limit` rows after the last row of the previous
 * batch. A batch with fewer rows is the last one, so a small set costs one query.
 */
export function createPageReader<Row>(
  limit: number,
  read: (last: Row | undefined) => Promise<readonly Row[]>,
): (before: readonly Row[] | undefined) => Promise<readonly Row[] | undefined> {
  return async (before) => {
    if (before !== undefined && before.length < limit) return undefined
    const rows = await read(before?.at(-1))
    return rows.length === 0 ? undefined : rows
  }
}

/**
 * Returns a read step for `processInBatches` that reads the next `size` ids of a list. A slice without rows does not
 * end the reading.
 */
export function createSliceReader<Row>(
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

export function* splitIntoSlices<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size)
}

/**
 * Reads slices one ahead of the consumer, so that the database reads the next slice while the consumer writes. Reads
 * nothing before the consumer requests the first slice.
 */
export async function* prefetchSlices<Slice, Rows>(
  slices: Iterable<Slice>,
  read: (slice: Slice) => Promise<Rows>,
): AsyncGenerator<Rows> {
  let reading: Promise<Rows> | undefined
  try {
    for (const slice of slices) {
      const previous = reading && (await reading)
      reading = suppressUnhandledRejection(read(slice))
      if (previous !== undefined) yield previous
    }
    if (reading) yield await reading
  } finally {
    await Promise.allSettled([reading])
  }
}

/**
 * Rows after which to yield to the event loop, unless `MS_PER_TURN` have passed before: matching a project that a
 * thousand organisations watch takes 1.4 ms, and without the time limit the database waited 70 ms for its next
 * statement.
 */
const ROWS_PER_TURN = 100
const MS_PER_TURN = 3

export async function mapInTimeSlices<Row, Made>(rows: readonly Row[], make: (row: Row) => Made): Promise<Made[]> {
  const results: Made[] = []
  let endsAt = performance.now() + MS_PER_TURN
  for (const row of rows) {
    results.push(make(row))
    if (results.length % ROWS_PER_TURN !== 0 && performance.now() < endsAt) continue
    await turn()
    endsAt = performance.now() + MS_PER_TURN
  }
  return results
}

export async function runThrottled(pace: WorkThrottle, work: readonly (() => Promise<unknown>)[]): Promise<void> {
  if (!pace.isSlow()) return await awaitAllThenThrow(work.map((task) => task()))
  for (const task of work) await task()
}

/**
 * Waits until all promises have settled, then throws the first failure, so that nothing is still running afterwards.
 */
export async function awaitAllThenThrow(work: readonly (Promise<unknown> | false)[]): Promise<void> {
  await Promise.allSettled(work)
  await Promise.all(work)
}
