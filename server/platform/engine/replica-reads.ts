import { AsyncLocalStorage } from 'node:async_hooks'

/** A place in PostgreSQL's write-ahead log; a later one is greater. Written `16/B374D848`: two hexadecimal halves. */
export type LogPosition = bigint

/** Undefined where the text is none: it may come from a client. */
export function readLogPosition(text: string): LogPosition | undefined {
  const [, high, low] = /^([0-9A-F]{1,8})\/([0-9A-F]{1,8})$/i.exec(text) ?? []
  return high === undefined ? undefined : (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`)
}

export const printLogPosition = (position: LogPosition): string =>
  `${(position >> 32n).toString(16)}/${(position & 0xffffffffn).toString(16)}`.toUpperCase()

/** One answer that is read: all of its statements go to the database that its first one went to. */
export type Reading = {
  /** What the answer has to show at least. */
  readonly atLeast: LogPosition
  /** Whose questions go to the same replica while that is there, so that nobody sees an older state after a newer one. */
  readonly asker: string
  /** The replica that answers, by its place in the list; undefined: not chosen yet. */
  replica: number | 'primary' | undefined
}

const present = new AsyncLocalStorage<Reading | undefined>()

/** What `work` reads may come from a replica that has reached `atLeast`. What it writes goes to the primary, and from then on all that it reads. */
export function readingFromReplicas<T>(reading: Pick<Reading, 'atLeast' | 'asker'>, work: () => T): T {
  return present.run({ ...reading, replica: undefined }, work)
}

/** What `work` reads comes from the primary: caches that serve everybody, and what decides who may. */
export function readingFromPrimary<T>(work: () => T): T {
  return present.getStore() === undefined ? work() : present.run(undefined, work)
}

const looks = new AsyncLocalStorage<LogPosition>()

/**
 * Runs `work`, which only reads. While there is no primary, a replica may answer all of it, the question who asks included. The replica must lack nothing that is known, and must have
 * reached `atLeast`, the last write of the asker.
 */
export const lookingOnly = <T>(atLeast: LogPosition, work: () => T): T => looks.run(atLeast, work)

/** What the question that the running code is part of has to show at least; undefined: it may change something. */
export const presentLook = (): LogPosition | undefined => looks.getStore()

/** The answer that the running code is part of; undefined: it reads from the primary. */
export const presentReading = (): Reading | undefined => present.getStore()
