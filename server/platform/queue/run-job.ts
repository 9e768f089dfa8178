import { type Db, DbUnavailableError, StatementError } from '#server/platform/engine/db.ts'
import {
  computeRetryDelayMs,
  ExternalServiceUnavailableError,
  type JobContext,
  JobFailedError,
  type JobHandler,
  type JobLog,
  JobPostponedError,
  LeaseLostError,
  NonRetryableJobError,
} from './job.ts'
import {
  DEFAULT_JOB_LEASE_SECONDS,
  type JobClaim,
  type JobOutcome,
  recordJobOutcome,
  renewJobClaim,
} from './queries.ts'

const PROGRESS_INTERVAL_MS = 250
/**
 * Number of renewals per lease. One may fail because the database is busy; the next renewal then still extends the
 * lease in time.
 */
const RENEWALS = 4

export type JobRunOptions<Parts> = {
  readonly db: Db
  readonly parts: Parts
  readonly log: JobLog
  now(): Date
}

/**
 * Runs a claim and records the outcome: done, retry with backoff, or dead. A lost lease aborts the run and leaves the
 * job to its new owner. A run ended by `stopping` is resumed by the next worker and does not count as an attempt.
 */
export async function runJob<Parts>(
  work: JobRunOptions<Parts>,
  kind: JobHandler<Parts>,
  claim: JobClaim,
  { stopping, streak }: { readonly stopping: AbortSignal; readonly streak: object },
): Promise<void> {
  const { db, log, now } = work
  const startedAt = performance.now()
  const run = new Run(work, kind, claim, stopping)
  const logFields = logFieldsOf(claim)
  try {
    const figures = await kind.run(run.context(streak), claim.payloads)
    await run.end()
    const ms = Math.round(performance.now() - startedAt)
    log.info({ ...logFields, ...figures, ms }, 'job done')
  } catch (error) {
    await run.stopProgress()
    if (error instanceof LeaseLostError || run.isLost()) return
    const outcome = outcomeOf(error, kind, claim, { isStopping: stopping.aborted, now: now() })
    await db.transaction(async (tx) => {
      const isSettled = await recordJobOutcome(tx, claim, outcome, now())
      if (isSettled && outcome.state === 'dead')
        await kind.died(tx, claim.payloads, now(), claim).catch(ignoreUnreadable)
    })
    if (outcome.state === 'dead')
      log.error({ ...logFields, failure: outcome.error, ...errorField(error) }, 'job dead: no more retries')
    else if (outcome.error !== undefined)
      log.warn(
        { ...logFields, failure: outcome.error, retryAt: outcome.runAt, ...errorField(error) },
        'job failed: will be retried',
      )
  } finally {
    run.close()
  }
}

/** Returns the log fields that identify a job: numbers only, no address, name or term (R14). */
function logFieldsOf({ kind, key, ids, organisationId, attempts }: JobClaim): object {
  return { job: kind, key, jobs: ids.length, organisation: organisationId, attempt: attempts }
}

const errorField = (error: unknown): object => (error instanceof JobFailedError ? {} : { err: error })

function ignoreUnreadable(error: unknown): void {
  if (!(error instanceof NonRetryableJobError)) throw error
}

/** Returns only the kind of error for storage, because the message may contain an address or a name (R14). */
function nameOf(error: unknown): string {
  if (error instanceof JobFailedError) return error.message
  if (error instanceof StatementError) return `${error.name} ${error.code}`
  return error instanceof Error ? error.name : 'unknown'
}

function outcomeOf(
  error: unknown,
  { maxAttempts, backoff }: Pick<JobHandler<never>, 'maxAttempts' | 'backoff'>,
  { attempts }: JobClaim,
  { isStopping, now }: { readonly isStopping: boolean; readonly now: Date },
): Exclude<JobOutcome, { state: 'done' }> {
  if (error instanceof NonRetryableJobError) return { state: 'dead', error: error.message }
  if (error instanceof JobPostponedError) return { state: 'waiting', runAt: error.until, error: undefined }
  if (isStopping) return { state: 'waiting', runAt: now, error: undefined }
  const failure = nameOf(error)
  const isOutage = error instanceof DbUnavailableError || error instanceof ExternalServiceUnavailableError
  if (attempts >= maxAttempts && !isOutage) return { state: 'dead', error: failure }
  const nextAttemptAt = now.getTime() + computeRetryDelayMs(attempts, backoff)
  const retryBy = error instanceof JobFailedError ? error.retryBy?.getTime() : undefined
  return { state: 'waiting', runAt: new Date(Math.min(nextAttemptAt, retryBy ?? nextAttemptAt)), error: failure }
}

class Run<Parts> {
  readonly #work: JobRunOptions<Parts>
  readonly #kind: JobHandler<Parts>
  readonly #claim: JobClaim
  readonly #lost = new AbortController()
  readonly #signal: AbortSignal
  readonly #heartbeat: NodeJS.Timeout
  #isFinished = false
  #latest: object | undefined
  #writtenAt = Number.NEGATIVE_INFINITY
  #writing: Promise<void> | undefined

  constructor(work: JobRunOptions<Parts>, kind: JobHandler<Parts>, claim: JobClaim, stopping: AbortSignal) {
    this.#work = work
    this.#kind = kind
    this.#claim = claim
    this.#signal = AbortSignal.any([stopping, this.#lost.signal])
    const leaseMs = (kind.leaseSeconds ?? DEFAULT_JOB_LEASE_SECONDS) * 1000
    this.#heartbeat = setInterval(() => void this.#renew(work.db).catch(() => undefined), leaseMs / RENEWALS)
  }

  context(streak: object): JobContext<Parts> {
    const { db, parts, log, now } = this.#work
    const { key, organisationId, userId, attempts } = this.#claim
    return {
      ...{ db, parts, log, key, organisationId, userId, attempt: attempts, signal: this.#signal, streak, now },
      confirm: (tx) => this.#confirmLease(tx),
      progress: (value) => this.#recordProgress(value),
      saveProgress: (tx, value) => this.#confirmLease(tx, value),
      finish: async (tx) => {
        const outcome: JobOutcome = { state: 'done', progress: this.#latest }
        if (!(await recordJobOutcome(tx, this.#claim, outcome, now()))) this.#lose()
        this.#isFinished = true
      },
    }
  }

  async end(): Promise<void> {
    await this.stopProgress()
    if (this.#isFinished) return
    const outcome: JobOutcome = { state: 'done', progress: this.#latest }
    if (!(await recordJobOutcome(this.#work.db, this.#claim, outcome, this.#work.now()))) this.#lose()
  }

  isLost(): boolean {
    return this.#lost.signal.aborted
  }

  async stopProgress(): Promise<void> {
    await this.#writing
  }

  close(): void {
    clearInterval(this.#heartbeat)
  }

  async #renew(db: Db, progress?: object): Promise<void> {
    if (this.#isFinished) return
    if (!(await renewJobClaim(db, this.#kind, this.#claim, { now: this.#work.now(), progress }))) {
      // Also false if the job finished meanwhile: its row is no longer running, but the lease is not lost.
      if (!this.#isFinished) this.#lose()
    }
  }

  async #confirmLease(tx: Db, progress?: object): Promise<void> {
    if (progress !== undefined) this.#latest = progress
    if (!(await renewJobClaim(tx, this.#kind, this.#claim, { now: this.#work.now(), progress }))) this.#lose()
  }

  #lose(): never {
    const error = new LeaseLostError('the job was cancelled or taken over by another worker')
    this.#lost.abort(error)
    throw error
  }

  #recordProgress(value: object): void {
    this.#latest = value
    if (this.#writing || performance.now() - this.#writtenAt < PROGRESS_INTERVAL_MS) return
    this.#writtenAt = performance.now()
    this.#writing = this.#renew(this.#work.db, value)
      // Ignore a failed progress write, because the next one replaces it.
      .catch(() => undefined)
      .finally(() => {
        this.#writing = undefined
      })
  }
}
