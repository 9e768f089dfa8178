import { AsyncLocalStorage } from 'node:async_hooks'

/** WAL position (LSN); later is greater. Printed as two hexadecimal halves: `16/B374D848`. */
export type LogPosition = bigint

/** Returns undefined for invalid text, which may be client input. */
export function readLogPosition(text: string): LogPosition | undefined {
  const [, high, low] = /^([0-9A-F]{1,8})\/([0-9A-F]{1,8})$/i.exec(text) ?? []
  return high === undefined ? undefined : (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`)
}

export const printLogPosition = (position: LogPosition): string =>
  `${(position >> 32n).toString(16)}/${(position & 0xffffffffn).toString(16)}`.toUpperCase()

/** One response being read: all its statements go to the same database as the first. */
export type Reading = {
  /** Minimum WAL position that the response must reflect. */
  readonly atLeast: LogPosition
  /**
   * The same asker goes to the same replica while it is up, so that a client never sees an older state after a newer
   * one.
   */
  readonly asker: string
  /** Index of the chosen replica; undefined: not chosen yet. */
  replica: number | 'primary' | undefined
}

const present = new AsyncLocalStorage<Reading | undefined>()

/**
 * Allows reads in `work` from a replica that has reached `atLeast`. Its writes go to the primary, and so do all reads
 * after the first write.
 */
export function readingFromReplicas<T>(reading: Pick<Reading, 'atLeast' | 'asker'>, work: () => T): T {
  return present.run({ ...reading, replica: undefined }, work)
}

/** Forces reads in `work` to the primary: for shared caches and permission checks. */
export function readingFromPrimary<T>(work: () => T): T {
  return present.getStore() === undefined ? work() : present.run(undefined, work)
}

const looks = new AsyncLocalStorage<LogPosition>()

/**
 * Runs read-only `work`. While there is no primary, a replica may serve all of it, including authentication. The
 * replica must have everything known and must have reached `atLeast`, the caller's last write.
 */
export const lookingOnly = <T>(atLeast: LogPosition, work: () => T): T => looks.run(atLeast, work)

/** Minimum WAL position for the current read-only request; undefined: the request may write. */
export const presentLook = (): LogPosition | undefined => looks.getStore()

/** The current response; undefined: it reads from the primary. */
export const presentReading = (): Reading | undefined => present.getStore()
