import { randomUUID } from 'node:crypto'
import { type Db, DbUnavailable } from '#server/engine/db.ts'
import { LeaseLost } from '#server/engine/lease.ts'
import { matchChanges } from '#server/features/matching/match-changes.ts'
import {
  type ClaimedMatching,
  claimMatching,
  type MatchingOutcome,
  noteMatching,
  renewMatching,
  settleMatching,
} from '#server/features/matching/match-requests.ts'
import { waitAfter } from './wait-after.ts'

/** First wait after a failed try, and the longest: somebody looks at a report that is not what they asked for. */
const WAITS = { firstMs: 1_000, longestMs: 5 * 60 * 1000 }
/** Ten tries take twenty minutes. Then the request is marked failed and tried again a day later (`pruneMatching`). */
const MOST_TRIES = 10
const RENEW_MS = 15_000
/** Somebody watches the progress; more often is not seen. */
const NOTE_EVERY_MS = 250

export type MatchLog = Readonly<Record<'info' | 'warn' | 'error', (fields: object, text: string) => void>>
export type MatchWork = {
  readonly db: Db
  readonly log: MatchLog
  now(): Date
  readonly signal?: AbortSignal | undefined
}

/**
 * Carries out the matching that changes of rules asked for, one organisation after the other; answers how many it tried. Several workers
 * share the queue. What a worker leaves behind when it is killed, another begins again after its lease.
 */
export async function matchWaiting(work: MatchWork): Promise<number> {
  const { db, now, signal } = work
  const holder = randomUUID()
  let tried = 0
  while (!signal?.aborted) {
    const claim = await claimMatching(db, holder, now())
    if (!claim) break
    await carryOut(work, claim)
    tried += 1
  }
  return tried
}

async function carryOut(work: MatchWork, claim: ClaimedMatching): Promise<void> {
  const { db, log, now } = work
  const startedAt = performance.now()
  const outcome = await attempt(work, claim)
  if (outcome === undefined) return
  await settleMatching(db, claim, outcome, now())
  const { organisationId, attempts, ids } = claim
  const line = { organisation: organisationId, requests: ids.length, attempt: attempts, ...outcome }
  if (outcome.state === 'done') log.info({ ...line, ms: Math.round(performance.now() - startedAt) }, 'matched anew')
  else if (outcome.state === 'failed') log.error(line, 'not matched, given up for a day')
  else if (outcome.failure !== undefined) log.warn(line, 'not matched, to be tried again')
}

/** Undefined when the claim went to another worker, who will settle it. */
async function attempt(work: MatchWork, claim: ClaimedMatching): Promise<MatchingOutcome | undefined> {
  const { db, now, signal } = work
  const renewal = setInterval(() => {
    // A failed renewal is not fatal: `confirm` decides before anything is written.
    renewMatching(db, claim, now()).catch(() => undefined)
  }, RENEW_MS)
  const progress = noteProgress(db, claim)
  try {
    await matchChanges(db, claim.organisationId, claim.scope, {
      signal,
      onProgress: progress.note,
      async confirm(tx) {
        if (!(await renewMatching(tx, claim, now()))) throw new LeaseLost('the matching went to another worker')
      },
    })
    return { state: 'done', total: progress.total() }
  } catch (error) {
    if (error instanceof LeaseLost) return undefined
    if (signal?.aborted === true) return { state: 'waiting', nextAt: now(), failure: undefined }
    return failedOutcome(error, claim, now())
  } finally {
    clearInterval(renewal)
    await progress.settled()
  }
}

function failedOutcome(error: unknown, { attempts }: ClaimedMatching, now: Date): MatchingOutcome {
  const failure = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  // A database that is away is not the request's fault: it is tried until it is back.
  if (attempts >= MOST_TRIES && !(error instanceof DbUnavailable)) return { state: 'failed', failure }
  return { state: 'waiting', failure, nextAt: new Date(now.getTime() + waitAfter(attempts, WAITS)) }
}

/** Writes progress down now and then, one statement at a time, and never waits for it. */
function noteProgress(db: Db, claim: ClaimedMatching) {
  let latest = { done: 0, total: 0 }
  let notedAt = Number.NEGATIVE_INFINITY
  let writing: Promise<void> | undefined
  return {
    note(progress: { readonly done: number; readonly total: number }): void {
      latest = progress
      if (writing || performance.now() - notedAt < NOTE_EVERY_MS) return
      notedAt = performance.now()
      writing = noteMatching(db, claim, progress)
        // Progress that could not be written is replaced by the next.
        .catch(() => undefined)
        .finally(() => {
          writing = undefined
        })
    },
    total: () => latest.total,
    settled: async (): Promise<void> => await writing,
  }
}
