import { z } from 'zod/mini'
import { KEYWORD_TERM_ADVICE_PERIOD_DAYS } from '#contract/matching/term-advice.ts'
import { addDays, getBangkokToday } from '#contract/thai/thai-date.ts'
import { createRecentYearProjectTitlesCache } from '#server/matching/keyword-impact/year-titles.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { getNextMorning } from '#server/platform/mail/morning.ts'
import { enqueueJobs, enqueueSingleJob } from '#server/platform/queue/enqueue-jobs.ts'
import { defineJob, type JobContext, type JobType } from '#server/platform/queue/job.ts'
import { findKeywordTermAdditions } from './find-term-additions.ts'
import { findKeywordTermAdvice } from './find-term-advice.ts'
import {
  findKeywordTermAdviceRecipient,
  findUsersWithManyHiddenProjects,
  findUsersWithWantedProjects,
  notifyKeywordTermAdvice,
  storeKeywordTermAdditions,
  storeKeywordTermAdvice,
} from './queries.ts'

const payload = z.object({ user: z.optional(z.number()) })
/**
 * Payload of the job. A job without a user is the weekly run: it queues a job for each user with enough hides, and
 * itself for the next week.
 */
type AdviceTask = z.output<typeof payload>
const ADVICE_JOB: JobType<AdviceTask> = { kind: 'term-advice', payload }

/**
 * Minimum hides of a user. Users with fewer never receive advice (see term-advice-policy.ts), so no job is queued for them.
 */
const MIN_HIDES = 3
/** Minimum wanted projects of a user without enough hides (see term-addition-policy.ts). */
const MIN_WANTED = 2
const DAY_MS = 24 * 60 * 60 * 1000

export function getNextMondayMorning(at: Date): Date {
  const morning = getNextMorning(at)
  const weekday = new Date(`${getBangkokToday(morning)}T00:00:00Z`).getUTCDay()
  return new Date(morning.getTime() + ((8 - weekday) % 7) * DAY_MS)
}

/**
 * Queues next Monday's run; a no-op if it is already queued. Called by every load, to start the cycle, and by each run.
 */
export async function scheduleKeywordTermAdvice(tx: Db, at: Date): Promise<void> {
  const runAt = getNextMondayMorning(at)
  await enqueueSingleJob(tx, ADVICE_JOB, {
    key: 'all',
    dedupeKey: `all ${getBangkokToday(runAt)}`,
    payload: {},
    at,
    runAt,
  })
}

export const keywordTermAdviceJob = defineJob<AdviceTask, unknown>({
  ...ADVICE_JOB,
  concurrency: 1,
  maxAttempts: 10,
  backoff: { firstMs: 10_000, maxMs: 10 * 60_000 },
  diesQuietly: true,
  run: (context, { user }) => (user === undefined ? queueAdviceByUser(context) : adviseUser(context, user)),
  async died(tx, { user }, at) {
    if (user === undefined) await scheduleKeywordTermAdvice(tx, at)
  },
})

async function queueAdviceByUser({ db, now, finish }: JobContext<unknown>): Promise<object> {
  const at = now()
  return await db.transaction(async (tx) => {
    await finish(tx)
    const since = addDays(getBangkokToday(at), -KEYWORD_TERM_ADVICE_PERIOD_DAYS)
    const hiders = await findUsersWithManyHiddenProjects(tx, since, MIN_HIDES)
    const otherUsers = (await findUsersWithWantedProjects(tx, since, MIN_WANTED)).filter(
      ({ userId }) => !hiders.some((hider) => hider.userId === userId),
    )
    const recipients = [...hiders, ...otherUsers]
    await enqueueJobs(
      tx,
      ADVICE_JOB,
      recipients.map(({ userId, organisationId }) => ({
        key: String(userId),
        dedupeKey: `${userId} ${getBangkokToday(at)}`,
        organisationId,
        userId,
        payload: { user: userId },
        at,
      })),
    )
    await scheduleKeywordTermAdvice(tx, at)
    return { users: recipients.length }
  })
}

/**
 * Stores the advice and notifies the user in the transaction that completes the job, so that a retry neither loses nor
 * repeats a notification.
 */
async function adviseUser({ db, now, finish }: JobContext<unknown>, user: number): Promise<object> {
  const at = now()
  const today = getBangkokToday(at)
  const adviser = await findKeywordTermAdviceRecipient(db, user)
  if (!adviser) return { user, gone: true }
  const advice = await findKeywordTermAdvice(db, adviser, today)
  const readYearTitles = createRecentYearProjectTitlesCache(db, now)
  const additions = await findKeywordTermAdditions(db, adviser, { today, readYearTitles })
  return await db.transaction(async (tx) => {
    await finish(tx)
    const removed = advice.length === 0 ? 0 : await storeKeywordTermAdvice(tx, adviser, advice, at)
    const added = additions.length === 0 ? 0 : await storeKeywordTermAdditions(tx, adviser, additions, at)
    const count = removed + added
    if (count > 0 && adviser.isInBell)
      await notifyKeywordTermAdvice(
        tx,
        adviser,
        { day: today, text: [...advice, ...additions].map(({ term }) => term).join(', '), count },
        at,
      )
    return { user, terms: count }
  })
}
