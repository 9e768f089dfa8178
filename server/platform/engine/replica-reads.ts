import { AsyncLocalStorage } from 'node:async_hooks'

/** WAL position (LSN); later is greater. Printed as two hexadecimal halves: `16/B374D848`. */
export type LogPosition = bigint

export function readLogPosition(text: string): LogPosition | undefined {
  const [, high, low] = /^([0-9A-F]{1,8})\/([0-9A-F]{1,8})$/i.exec(text) ?? []
  return high === undefined ? undefined : (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`)
}

export const printLogPosition = (position: LogPosition): string =>
  `${(position >> 32n).toString(16)}/${(position & 0xffffffffn).toString(16)}`.toUpperCase()

/** One response in progress: all its statements go to the same database as the first. */
export type Reading = {
  readonly atLeast: LogPosition
  /**
   * Identifies the client. The same asker reads from the same replica while it is up, so that a client never sees an
   * older state after a newer one.
   */
  readonly asker: string
  replica: number | 'primary' | undefined
}

const readings = new AsyncLocalStorage<Reading | undefined>()

/**
 * Allows reads in `work` from a replica that has reached `atLeast`. Its writes go to the primary, and so do all reads
 * after the first write.
 */
export function withReplicaReads<T>(reading: Pick<Reading, 'atLeast' | 'asker'>, work: () => T): T {
  return readings.run({ ...reading, replica: undefined }, work)
}

/** Forces reads in `work` to the primary: for shared caches and permission checks. */
export function withPrimaryReads<T>(work: () => T): T {
  return readings.getStore() === undefined ? work() : readings.run(undefined, work)
}

const readOnlyPositions = new AsyncLocalStorage<LogPosition>()

/**
 * Runs read-only `work`. While there is no primary, a replica may serve all of it, including authentication. The
 * replica must be the furthest ahead and must have reached `atLeast`, the caller's last write.
 */
export const runReadOnly = <T>(atLeast: LogPosition, work: () => T): T => readOnlyPositions.run(atLeast, work)

export const readOnlyPosition = (): LogPosition | undefined => readOnlyPositions.getStore()

export const currentReading = (): Reading | undefined => readings.getStore()
