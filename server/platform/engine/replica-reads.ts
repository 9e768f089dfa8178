import { AsyncLocalStorage } from 'node:async_hooks'

/** WAL position (LSN); later is greater. Its text form is two hexadecimal halves: `16/B374D848`. */
export type WalPosition = bigint

export function parseWalPosition(text: string): WalPosition | undefined {
  const [, high, low] = /^([0-9A-F]{1,8})\/([0-9A-F]{1,8})$/i.exec(text) ?? []
  return high === undefined ? undefined : (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`)
}

export const formatWalPosition = (position: WalPosition): string =>
  `${(position >> 32n).toString(16)}/${(position & 0xffffffffn).toString(16)}`.toUpperCase()

/** One response in progress. All its statements go to the same database as the first. */
export type ReplicaReadContext = {
  readonly atLeast: WalPosition
  /**
   * Identifies the client. Requests by one client go to the same replica while it is up, so that a client never sees an
   * older state after a newer one.
   */
  readonly clientId: string
  replica: number | 'primary' | undefined
}

const readings = new AsyncLocalStorage<ReplicaReadContext | undefined>()

/**
 * Lets reads in `work` use a replica that has reached the position `atLeast`. Writes go to the primary, and so do all
 * reads after the first write.
 */
export function withReplicaReads<T>(reading: Pick<ReplicaReadContext, 'atLeast' | 'clientId'>, work: () => T): T {
  return readings.run({ ...reading, replica: undefined }, work)
}

/** Sends all reads in `work` to the primary, as shared caches and permission checks require. */
export function withPrimaryReads<T>(work: () => T): T {
  return readings.getStore() === undefined ? work() : readings.run(undefined, work)
}

const readOnlyPositions = new AsyncLocalStorage<WalPosition>()

/**
 * Runs read-only `work`. While there is no primary, a replica may serve all of `work`, including authentication: the
 * replica that is furthest ahead, if it has reached `atLeast`, the caller's last write.
 */
export const runReadOnly = <T>(atLeast: WalPosition, work: () => T): T => readOnlyPositions.run(atLeast, work)

export const getReadOnlyWalPosition = (): WalPosition | undefined => readOnlyPositions.getStore()

export const getReplicaReadContext = (): ReplicaReadContext | undefined => readings.getStore()
