import { z } from 'zod/mini'
import { addMonths, bangkokToday } from '#contract/thai/thai-date.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { morningOf, nextMorning } from '#server/platform/mail/morning.ts'
import { enqueue, enqueueAll } from '#server/platform/queue/enqueue.ts'
import type { JobType } from '#server/platform/queue/job.ts'
import { findKeepersToAsk } from './due-question-queries.ts'
import type { Keeper } from './queries.ts'

const payload = z.object({ user: z.number(), task: z.enum(['look', 'mail']) })
export type QuestionTask = z.output<typeof payload>
/**
 * `look`: check a user's questions for changes. `mail`: send one mail about the questions with something to report. One
 * job kind, because both write the stored state of a question and so must never run at the same time for one user.
 */
export const QUESTION_JOB: JobType<QuestionTask> = { kind: 'question', payload }

const requestOf = ({ userId, organisationId }: Keeper, task: QuestionTask['task'], at: Date, runAt: Date) => ({
  key: String(userId),
  // The same task at the same time is the same job.
  dedupeKey: `${userId} ${task} ${runAt.toISOString()}`,
  organisationId,
  userId,
  payload: { user: userId, task },
  at,
  runAt,
})

/**
 * Enqueues the check of every subscribed user's questions, in the transaction that publishes a load. A question costs
 * up to 0.2 s, so the hundreds of small loads of a night are checked once, in the morning before the mails.
 */
export async function askAfterLoad(
  tx: Db,
  at: Date,
  { isIncrement = false }: { readonly isIncrement?: boolean | undefined } = {},
): Promise<number> {
  const keepers = await findKeepersToAsk(tx)
  const runAt = isIncrement ? new Date(nextMorning(at).getTime() - BEFORE_MAILS_MS) : at
  await enqueueAll(
    tx,
    QUESTION_JOB,
    keepers.map((keeper) => requestOf(keeper, 'look', at, runAt)),
  )
  return keepers.length
}

const BEFORE_MAILS_MS = 90 * 60_000

/** For a new question this sets the baseline. */
export const enqueueLook = (tx: Db, keeper: Keeper, at: Date): Promise<void> =>
  enqueue(tx, QUESTION_JOB, requestOf(keeper, 'look', at, at))

/** At the next 08:30. */
export const enqueueMail = (tx: Db, keeper: Keeper, at: Date): Promise<void> =>
  enqueue(tx, QUESTION_JOB, requestOf(keeper, 'mail', at, nextMorning(at)))

export const monthOf = (at: Date): string => `${bangkokToday(at).slice(0, 7)}-01`

export const enqueueMonthlyMail = (tx: Db, keeper: Keeper, at: Date): Promise<void> =>
  enqueue(tx, QUESTION_JOB, requestOf(keeper, 'mail', at, morningOf(addMonths(monthOf(at), 1))))
