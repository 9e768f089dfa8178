import type { ZodMiniType } from 'zod/mini'
import type { Db } from '#server/platform/engine/db.ts'

/** The job was cancelled or taken over by another worker, so its work must not be committed. */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError'
}

/**
 * One attempt failed for a known reason. `message` is stored with the job, so it must not contain personal data; use a
 * reply code or an error name.
 */
export class JobFailedError extends Error {
  override readonly name: string = 'JobFailedError'
  readonly retryBy: Date | undefined

  constructor(message: string, { retryBy }: { readonly retryBy?: Date | undefined } = {}) {
    super(message)
    this.retryBy = retryBy
  }
}

/** An external service is down. As with an unreachable database, the job is retried until the service returns. */
export class ExternalServiceUnavailableError extends JobFailedError {
  override readonly name: string = 'ServiceAway'
}

/** Thrown by a job for which retrying is pointless, so that it is dead-lettered at once. */
export class NonRetryableJobError extends JobFailedError {
  override readonly name = 'NonRetryableJobError'
}

/** Thrown by a job that must run later. Counts neither as a failure nor as an attempt. */
export class JobPostponedError extends Error {
  override readonly name = 'JobPostponedError'
  readonly until: Date

  constructor(until: Date) {
    super('postponed')
    this.until = until
  }
}

export type JobType<Payload> = { readonly kind: string; readonly payload: ZodMiniType<Payload> }

export type JobOwner = {
  readonly key: string
  readonly organisationId: number | undefined
  readonly userId: number | undefined
}

export type JobContext<Parts> = JobOwner & {
  readonly db: Db
  readonly parts: Parts
  readonly log: JobLog
  readonly attempt: number
  readonly signal: AbortSignal
  /** The same object for all jobs that one worker runs back to back, so jobs can use it as the key of a cache. */
  readonly streak: object
  now(): Date
  /** Renews the lease inside `tx` and locks the job until `tx` ends. Rejects with `LeaseLostError`. */
  confirm(tx: Db): Promise<void>
  /** Reports progress to waiting users: written at most four times a second, never awaited. */
  progress(value: object): void
  saveProgress(tx: Db, value: object): Promise<void>
  /**
   * Completes the job in the transaction that stores its result. A job that does not call this completes when `run`
   * resolves. Rejects with `LeaseLostError`.
   */
  finish(tx: Db): Promise<void>
}

export type JobLog = Readonly<Record<'info' | 'warn' | 'error', (fields: object, text: string) => void>>

export type RetryBackoff = { readonly firstMs: number; readonly maxMs: number }

type JobSettings = {
  readonly concurrency: number
  /**
   * Number of attempts before the job is dead-lettered. An attempt that fails because the database or a service is
   * unreachable never counts as the last.
   */
  readonly maxAttempts: number
  readonly backoff: RetryBackoff
  /**
   * If true, serves the least recently served organisation first and runs one job at a time per organisation (R42); the
   * server's own jobs count as one organisation. By default jobs run in the order of their due times.
   */
  readonly servesByOrganisation?: boolean
  /** Time after which other workers take over the job of a dead worker. Default 60 (R52). */
  readonly leaseSeconds?: number
  readonly reviveDays?: number
  readonly retentionDays?: number
  /** Retains the last job of each key, because its time is shown to users. */
  readonly retainsLast?: boolean
  /**
   * True if a dead job may be restarted by an operator, because `died` notifies no user and the next run overwrites
   * whatever `died` wrote.
   */
  readonly diesQuietly?: boolean
}

export type JobDefinition<Payload, Parts> = JobSettings &
  JobType<Payload> & {
    /**
     * Merges the payloads of all due jobs of a key into one, with which they run once. Without this function each job
     * runs separately.
     */
    merge?(payloads: readonly Payload[]): Payload
    /** Runs the job. The result is logged, so it must not contain personal data. */
    run(context: JobContext<Parts>, payload: Payload): Promise<object | undefined>
    /** Called in the transaction that dead-letters the job, for example to notify its user. */
    died?(tx: Db, payload: Payload, at: Date, job: JobOwner): Promise<void>
    prune?(db: Db, now: Date, parts: Parts): Promise<void>
  }

export type JobHandler<Parts> = JobSettings & {
  readonly kind: string
  readonly merges: boolean
  readonly notifiesOnDeath: boolean
  run(context: JobContext<Parts>, payloads: readonly unknown[]): Promise<object | undefined>
  died(tx: Db, payloads: readonly unknown[], at: Date, job: JobOwner): Promise<void>
  prune?(db: Db, now: Date, parts: Parts): Promise<void>
}

/** Defines a job kind. Also add it to the list where the program starts its worker. */
export function defineJob<Payload, Parts = unknown>(
  definition: JobDefinition<Payload, Parts>,
): JobHandler<Parts> & JobType<Payload> {
  const { merge, run, died, ...settings } = definition
  const read = (payloads: readonly unknown[]): Payload => {
    const parsed = payloads.map((payload) => {
      const result = settings.payload.safeParse(payload)
      if (!result.success) throw new NonRetryableJobError('unreadable payload')
      return result.data
    })
    return merge && parsed.length > 1 ? merge(parsed) : parsed[0]!
  }
  return {
    ...settings,
    merges: merge !== undefined,
    notifiesOnDeath: died !== undefined && !settings.diesQuietly,
    run: async (context, payloads) => await run(context, read(payloads)),
    async died(tx, payloads, at, job) {
      if (died) await died(tx, read(payloads), at, job)
    },
  }
}

/** Random share added to or subtracted from delays, so that jobs that failed together do not retry together (R52). */
const JITTER = 0.2

export function computeRetryDelayMs(
  attempts: number,
  { firstMs, maxMs }: RetryBackoff,
  random: () => number = Math.random,
): number {
  const delay = Math.min(maxMs, firstMs * 2 ** (attempts - 1))
  return Math.round(delay * (1 - JITTER + 2 * JITTER * random()))
}
