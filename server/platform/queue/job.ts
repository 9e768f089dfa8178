import type { ZodMiniType } from 'zod/mini'
import type { Db } from '#server/platform/engine/db.ts'

/** The job is another worker's by now, or was cancelled: what is being done must not be finished. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost'
}

/** One try failed for a reason that is known. `message` is stored with the job, so it holds nothing personal (an answer code, a name of a fault). */
export class JobFailure extends Error {
  override readonly name: string = 'JobFailure'
  /** The next try is made no later than this. */
  readonly retryBy: Date | undefined

  constructor(message: string, { retryBy }: { readonly retryBy?: Date | undefined } = {}) {
    super(message)
    this.retryBy = retryBy
  }
}

/** Something outside that the job needs does not answer. Like a database that is away it is not the job's fault: it is tried until that is back. */
export class ServiceAway extends JobFailure {
  override readonly name: string = 'ServiceAway'
}

/** No later try would go better: the job is given up now. */
export class JobRefused extends JobFailure {
  override readonly name = 'JobRefused'
}

/** The job is to be done later, which is no failure and does not count as a try. */
export class JobPostponed extends Error {
  override readonly name = 'JobPostponed'
  readonly until: Date

  constructor(until: Date) {
    super('postponed')
    this.until = until
  }
}

/** All that a caller needs to enqueue a job: its name and the shape of its payload. */
export type JobType<Payload> = { readonly kind: string; readonly payload: ZodMiniType<Payload> }

/** What a job works on and whose it is. */
export type JobOwner = {
  readonly key: string
  readonly organisationId: number | undefined
  readonly userId: number | undefined
}

/** What a job is given to work with. `Parts`: what the program hands to all its jobs (a mail server, secrets). */
export type JobContext<Parts> = JobOwner & {
  readonly db: Db
  readonly parts: Parts
  readonly log: JobLog
  /** How often it was begun, this time included. */
  readonly attempt: number
  /** Aborted when the worker is stopped and when the lease is lost. */
  readonly signal: AbortSignal
  /** The same object for jobs that one worker does one after another without a pause. */
  readonly streak: object
  now(): Date
  /** Renews the lease inside `tx` and holds the job until `tx` ends. Rejects with `LeaseLost`. */
  confirm(tx: Db): Promise<void>
  /** How far it is, for who waits: written at most four times a second and never waited for. */
  progress(value: object): void
  /** The same, written inside `tx`, which it confirms. Rejects with `LeaseLost`. */
  saveProgress(tx: Db, value: object): Promise<void>
  /** Ends the job as done in the transaction of its result. Without it, the job is done when `run` resolves. Rejects with `LeaseLost`. */
  finish(tx: Db): Promise<void>
}

export type JobLog = Readonly<Record<'info' | 'warn' | 'error', (fields: object, text: string) => void>>

export type Backoff = { readonly firstMs: number; readonly longestMs: number }

type JobSettings = {
  /** Jobs of this kind that one process runs at the same time. */
  readonly concurrency: number
  /** Tries until it is given up. A database or service that is away does not count as the last. */
  readonly maxAttempts: number
  readonly backoff: Backoff
  /**
   * Serves the organisation that was served longest ago, one job of each at a time (R42); the server's own jobs count as one organisation. Absent: in the order in
   * which they are due.
   */
  readonly servesByOrganisation?: boolean
  /** A worker that dies leaves its job to others after this long. Default 60 (R52). */
  readonly leaseSeconds?: number
  /** What is given up begins anew after this many days; absent: never. */
  readonly reviveDays?: number
  /** What has ended is forgotten after this many days. Default 7. */
  readonly retentionDays?: number
  /** The last of each key is never forgotten: somebody is told when it was. */
  readonly retainsLast?: boolean
  /** What its `died` wrote down is written over by its next run, and nobody was told: an operator may begin it anew. */
  readonly diesQuietly?: boolean
}

export type JobDefinition<Payload, Parts> = JobSettings &
  JobType<Payload> & {
    /** All jobs of one key that are due become one run with this payload; absent: each is a run of its own. */
    merge?(payloads: readonly Payload[]): Payload
    /** Does the job. What it answers is written to the log, so it holds nothing personal. */
    run(context: JobContext<Parts>, payload: Payload): Promise<object | undefined>
    /** Called in the transaction that gives the job up. */
    died?(tx: Db, payload: Payload, at: Date, job: JobOwner): Promise<void>
    /** Forgets what the kind itself keeps; once an hour. */
    prune?(db: Db, now: Date, parts: Parts): Promise<void>
  }

/** A kind of job as the worker knows it: what it is given has any shape until the kind itself reads it. */
export type JobKind<Parts> = JobSettings & {
  readonly kind: string
  readonly merges: boolean
  /** Its `died` has told somebody of the end. */
  readonly tellsOfDeath: boolean
  run(context: JobContext<Parts>, payloads: readonly unknown[]): Promise<object | undefined>
  died(tx: Db, payloads: readonly unknown[], at: Date, job: JobOwner): Promise<void>
  prune?(db: Db, now: Date, parts: Parts): Promise<void>
}

/** One kind of job, in one place: what it is given, how often it is tried, and what it does. List it where the program starts its worker. */
export function defineJob<Payload, Parts = unknown>(
  definition: JobDefinition<Payload, Parts>,
): JobKind<Parts> & JobType<Payload> {
  const { merge, run, died, ...settings } = definition
  const read = (payloads: readonly unknown[]): Payload => {
    const parsed = payloads.map((payload) => {
      const result = settings.payload.safeParse(payload)
      if (!result.success) throw new JobRefused('unreadable payload')
      return result.data
    })
    return merge && parsed.length > 1 ? merge(parsed) : parsed[0]!
  }
  return {
    ...settings,
    merges: merge !== undefined,
    tellsOfDeath: died !== undefined && !settings.diesQuietly,
    run: async (context, payloads) => await run(context, read(payloads)),
    async died(tx, payloads, at, job) {
      if (died) await died(tx, read(payloads), at, job)
    },
  }
}

/** Waits differ by a fifth up or down, so that what failed together does not come back together (R52). */
const JITTER = 0.2

/** Milliseconds until the next try after this many: doubles with each, up to the longest. */
export function retryDelay(
  attempts: number,
  { firstMs, longestMs }: Backoff,
  random: () => number = Math.random,
): number {
  const delay = Math.min(longestMs, firstMs * 2 ** (attempts - 1))
  return Math.round(delay * (1 - JITTER + 2 * JITTER * random()))
}
