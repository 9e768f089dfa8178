import { z } from 'zod/mini'
import { addMonths, bangkokToday } from '#contract/thai/thai-date.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { morningOf, nextMorning } from '#server/platform/mail/morning.ts'
import { enqueue, enqueueAll } from '#server/platform/queue/enqueue.ts'
import type { JobType } from '#server/platform/queue/job.ts'
import { findOwnersToCheck } from './due-question-queries.ts'
import type { QuestionOwner } from './queries.ts'

const payload = z.object({ user: z.number(), task: z.enum(['look', 'mail']) })
export type QuestionTask = z.output<typeof payload>
/**
 * `look` checks a user's questions for changes; `mail` sends one email about the questions with something to report.
 * Both have one job kind, because both write the stored state of a question and so must never run at the same time for
 * one user.
 */
export const QUESTION_JOB: JobType<QuestionTask> = { kind: 'question', payload }

const requestOf = ({ userId, organisationId }: QuestionOwner, task: QuestionTask['task'], at: Date, runAt: Date) => ({
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
export async function enqueueChecksAfterLoad(
  tx: Db,
  at: Date,
  { isIncrement = false }: { readonly isIncrement?: boolean | undefined } = {},
): Promise<number> {
  const keepers = await findOwnersToCheck(tx)
  const runAt = isIncrement ? new Date(nextMorning(at).getTime() - CHECK_LEAD_MS) : at
  await enqueueAll(
    tx,
    QUESTION_JOB,
    keepers.map((keeper) => requestOf(keeper, 'look', at, runAt)),
  )
  return keepers.length
}

const CHECK_LEAD_MS = 90 * 60_000

/** Enqueues a check of the user's questions. The first check of a new question records its baseline. */
export const enqueueQuestionCheck = (tx: Db, keeper: QuestionOwner, at: Date): Promise<void> =>
  enqueue(tx, QUESTION_JOB, requestOf(keeper, 'look', at, at))

export const enqueueQuestionMail = (tx: Db, keeper: QuestionOwner, at: Date): Promise<void> =>
  enqueue(tx, QUESTION_JOB, requestOf(keeper, 'mail', at, nextMorning(at)))

export const bangkokMonthStart = (at: Date): string => `${bangkokToday(at).slice(0, 7)}-01`

export const enqueueMonthlyMail = (tx: Db, keeper: QuestionOwner, at: Date): Promise<void> =>
  enqueue(tx, QUESTION_JOB, requestOf(keeper, 'mail', at, morningOf(addMonths(bangkokMonthStart(at), 1))))
