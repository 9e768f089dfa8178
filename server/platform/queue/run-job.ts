import { type Db, DbUnavailable, StatementError } from '#server/platform/engine/db.ts'
import {
  type JobContext,
  JobFailure,
  type JobKind,
  type JobLog,
  JobPostponed,
  JobRefused,
  LeaseLost,
  retryDelay,
  ServiceAway,
} from './job.ts'
import { type Claim, DEFAULT_LEASE_SECONDS, type Outcome, renewClaim, settleClaim } from './queries.ts'

/** Progress is written no more often than this, because a reader would not see the difference. */
const PROGRESS_EVERY_MS = 250
/** Renewals within one lease: one that fails for a busy database is made up for by the next. */
const RENEWALS = 4

export type JobWork<Parts> = {
  readonly db: Db
  readonly parts: Parts
  readonly log: JobLog
  now(): Date
}

/**
 * Runs what was claimed and writes down what became of it: done, to be tried again after a growing delay, or given up. A lease that is lost aborts the
 * run and leaves the job to who has it now. A run that `stopping` ends waits for the next worker, and its try does not count.
 */
export async function runJob<Parts>(
  work: JobWork<Parts>,
  kind: JobKind<Parts>,
  claim: Claim,
  { stopping, streak }: { readonly stopping: AbortSignal; readonly streak: object },
): Promise<void> {
  const { db, log, now } = work
  const startedAt = performance.now()
  const run = new Run(work, kind, claim, stopping)
  const line = lineOf(claim)
  try {
    const figures = await kind.run(run.context(streak), claim.payloads)
    await run.end()
    const ms = Math.round(performance.now() - startedAt)
    log.info({ ...line, ...figures, ms }, 'job done')
  } catch (error) {
    await run.stopProgress()
    if (error instanceof LeaseLost || run.isLost()) return
    const outcome = outcomeOf(error, kind, claim, { isStopping: stopping.aborted, now: now() })
    await db.transaction(async (tx) => {
      const isSettled = await settleClaim(tx, claim, outcome, now())
      if (isSettled && outcome.state === 'dead')
        await kind.died(tx, claim.payloads, now(), claim).catch(ignoreUnreadable)
    })
    if (outcome.state === 'dead') log.error({ ...line, failure: outcome.error, ...about(error) }, 'job given up')
    else if (outcome.error !== undefined)
      log.warn({ ...line, failure: outcome.error, retryAt: outcome.runAt, ...about(error) }, 'job to be tried again')
  } finally {
    run.close()
  }
}

/** No address, no name, no word: who reads the log finds the job by its numbers (R14). */
function lineOf({ kind, key, ids, organisationId, attempts }: Claim): object {
  return { job: kind, key, jobs: ids.length, organisation: organisationId, attempt: attempts }
}

/** A known failure says all in its message. */
const about = (error: unknown): object => (error instanceof JobFailure ? {} : { err: error })

/** A payload that cannot be read has nothing that could be told of its end. */
function ignoreUnreadable(error: unknown): void {
  if (!(error instanceof JobRefused)) throw error
}

/** What is stored of an error: its kind. Its message may hold an address or a name (R14). */
function nameOf(error: unknown): string {
  if (error instanceof JobFailure) return error.message
  if (error instanceof StatementError) return `${error.name} ${error.code}`
  return error instanceof Error ? error.name : 'unknown'
}

function outcomeOf(
  error: unknown,
  { maxAttempts, backoff }: Pick<JobKind<never>, 'maxAttempts' | 'backoff'>,
  { attempts }: Claim,
  { isStopping, now }: { readonly isStopping: boolean; readonly now: Date },
): Exclude<Outcome, { state: 'done' }> {
  if (error instanceof JobRefused) return { state: 'dead', error: error.message }
  if (error instanceof JobPostponed) return { state: 'waiting', runAt: error.until, error: undefined }
  if (isStopping) return { state: 'waiting', runAt: now, error: undefined }
  const failure = nameOf(error)
  // What is away is not the job's fault: it is tried until that is back.
  const isAway = error instanceof DbUnavailable || error instanceof ServiceAway
  if (attempts >= maxAttempts && !isAway) return { state: 'dead', error: failure }
  const next = now.getTime() + retryDelay(attempts, backoff)
  const retryBy = error instanceof JobFailure ? error.retryBy?.getTime() : undefined
  return { state: 'waiting', runAt: new Date(Math.min(next, retryBy ?? next)), error: failure }
}

/** One run: its heartbeat, its progress, and whether it is still its own. */
class Run<Parts> {
  readonly #work: JobWork<Parts>
  readonly #kind: JobKind<Parts>
  readonly #claim: Claim
  readonly #lost = new AbortController()
  readonly #signal: AbortSignal
  readonly #heartbeat: NodeJS.Timeout
  #isFinished = false
  #latest: object | undefined
  #writtenAt = Number.NEGATIVE_INFINITY
  #writing: Promise<void> | undefined

  constructor(work: JobWork<Parts>, kind: JobKind<Parts>, claim: Claim, stopping: AbortSignal) {
    this.#work = work
    this.#kind = kind
    this.#claim = claim
    this.#signal = AbortSignal.any([stopping, this.#lost.signal])
    const leaseMs = (kind.leaseSeconds ?? DEFAULT_LEASE_SECONDS) * 1000
    // A renewal that fails is made up for by the next; one that is refused ends the run.
    this.#heartbeat = setInterval(() => void this.#renew(work.db).catch(() => undefined), leaseMs / RENEWALS)
  }

  context(streak: object): JobContext<Parts> {
    const { db, parts, log, now } = this.#work
    const { key, organisationId, userId, attempts } = this.#claim
    return {
      ...{ db, parts, log, key, organisationId, userId, attempt: attempts, signal: this.#signal, streak, now },
      confirm: (tx) => this.#hold(tx),
      progress: (value) => this.#note(value),
      saveProgress: (tx, value) => this.#hold(tx, value),
      finish: async (tx) => {
        const outcome: Outcome = { state: 'done', progress: this.#latest }
        if (!(await settleClaim(tx, this.#claim, outcome, now()))) this.#lose()
        this.#isFinished = true
      },
    }
  }

  /** Ends the job as done, unless it did so itself. */
  async end(): Promise<void> {
    await this.stopProgress()
    if (this.#isFinished) return
    const outcome: Outcome = { state: 'done', progress: this.#latest }
    if (!(await settleClaim(this.#work.db, this.#claim, outcome, this.#work.now()))) this.#lose()
  }

  isLost(): boolean {
    return this.#lost.signal.aborted
  }

  /** Resolves when no progress is on its way to the database any more. */
  async stopProgress(): Promise<void> {
    await this.#writing
  }

  close(): void {
    clearInterval(this.#heartbeat)
  }

  async #renew(db: Db, progress?: object): Promise<void> {
    if (this.#isFinished) return
    if (!(await renewClaim(db, this.#kind, this.#claim, { now: this.#work.now(), progress }))) {
      // Finished while the renewal was on its way: the row is no longer running, and nothing is lost.
      if (!this.#isFinished) this.#lose()
    }
  }

  async #hold(tx: Db, progress?: object): Promise<void> {
    if (progress !== undefined) this.#latest = progress
    if (!(await renewClaim(tx, this.#kind, this.#claim, { now: this.#work.now(), progress }))) this.#lose()
  }

  #lose(): never {
    const error = new LeaseLost('the job was cancelled or went to another worker')
    this.#lost.abort(error)
    throw error
  }

  #note(value: object): void {
    this.#latest = value
    if (this.#writing || performance.now() - this.#writtenAt < PROGRESS_EVERY_MS) return
    this.#writtenAt = performance.now()
    this.#writing = this.#renew(this.#work.db, value)
      // Progress that could not be written is replaced by the next.
      .catch(() => undefined)
      .finally(() => {
        this.#writing = undefined
      })
  }
}
