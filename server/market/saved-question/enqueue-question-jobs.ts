import { z } from 'zod/mini'
import { addMonths, getBangkokToday } from '#contract/thai/thai-date.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { getMorningTime, getNextMorning } from '#server/platform/mail/morning.ts'
import { enqueueJobs, enqueueSingleJob } from '#server/platform/queue/enqueue-jobs.ts'
import type { JobType } from '#server/platform/queue/job.ts'
import { findSavedQuestionOwnersToCheck } from './due-question-queries.ts'
import type { SavedQuestionOwner } from './queries.ts'

const payload = z.object({ user: z.number(), task: z.enum(['look', 'mail']) })
export type SavedQuestionTask = z.output<typeof payload>
/**
 * `look` checks a user's questions for changes; `mail` sends one email about the questions with something to report.
 * Both have one job kind, because both write the stored state of a question and so must never run at the same time for
 * one user.
 */
export const SAVED_QUESTION_JOB_TYPE: JobType<SavedQuestionTask> = { kind: 'question', payload }

const requestOf = (
  { userId, organisationId }: SavedQuestionOwner,
  task: SavedQuestionTask['task'],
  at: Date,
  runAt: Date,
) => ({
  key: String(userId),
  dedupeKey: `${userId} ${task} ${runAt.toISOString()}`,
  organisationId,
  userId,
  payload: { user: userId, task },
  at,
  runAt,
})

/**
 * Enqueues a check of every subscribed user's questions, in the transaction that publishes a load. A question costs up
 * to 0.2 s, so after a night of hundreds of small loads the check runs once, in the morning before the emails.
 */
export async function enqueueSavedQuestionChecksAfterLoad(
  tx: Db,
  at: Date,
  { isIncrement = false }: { readonly isIncrement?: boolean | undefined } = {},
): Promise<number> {
  const owners = await findSavedQuestionOwnersToCheck(tx)
  const runAt = isIncrement ? new Date(getNextMorning(at).getTime() - CHECK_LEAD_MS) : at
  await enqueueJobs(
    tx,
    SAVED_QUESTION_JOB_TYPE,
    owners.map((owner) => requestOf(owner, 'look', at, runAt)),
  )
  return owners.length
}

const CHECK_LEAD_MS = 90 * 60_000

/** Enqueues a check of the user's questions. The first check of a new question records its baseline. */
export const enqueueSavedQuestionCheck = (tx: Db, owner: SavedQuestionOwner, at: Date): Promise<void> =>
  enqueueSingleJob(tx, SAVED_QUESTION_JOB_TYPE, requestOf(owner, 'look', at, at))

export const enqueueSavedQuestionMail = (tx: Db, owner: SavedQuestionOwner, at: Date): Promise<void> =>
  enqueueSingleJob(tx, SAVED_QUESTION_JOB_TYPE, requestOf(owner, 'mail', at, getNextMorning(at)))

export const getBangkokMonthStart = (at: Date): string => `${getBangkokToday(at).slice(0, 7)}-01`

export const enqueueMonthlySavedQuestionMail = (tx: Db, owner: SavedQuestionOwner, at: Date): Promise<void> =>
  enqueueSingleJob(
    tx,
    SAVED_QUESTION_JOB_TYPE,
    requestOf(owner, 'mail', at, getMorningTime(addMonths(getBangkokMonthStart(at), 1))),
  )
