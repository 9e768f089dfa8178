import { z } from 'zod/mini'
import { addMonths, bangkokToday } from '#contract/thai/thai-date.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { morningOf, nextMorning } from '#server/platform/mail/morning.ts'
import { enqueue, enqueueAll } from '#server/platform/queue/enqueue.ts'
import type { JobType } from '#server/platform/queue/job.ts'
import type { Keeper } from './queries.ts'
import { findKeepersToAsk } from './queries-ask.ts'

const payload = z.object({ user: z.number(), task: z.enum(['look', 'mail']) })
export type QuestionTask = z.output<typeof payload>
/**
 * `look`: what is new in the questions of a user. `mail`: one mail about those of which there is something to say. One kind, because both write what is known of a
 * question: a user's never run at the same time.
 */
export const QUESTION_JOB: JobType<QuestionTask> = { kind: 'question', payload }

const requestOf = ({ userId, organisationId }: Keeper, task: QuestionTask['task'], at: Date, runAt: Date) => ({
  key: String(userId),
  // The same again for the same moment is the same job.
  dedupeKey: `${userId} ${task} ${runAt.toISOString()}`,
  organisationId,
  userId,
  payload: { user: userId, task },
  at,
  runAt,
})

/**
 * Has the questions of everybody looked at who is told of changes, in the transaction that publishes a load. A question costs up to a fifth of a second, so what
 * the hundreds of small loads of a night brought is looked at once, in the morning before the mails.
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

/** So much earlier than the mails the questions of a night are asked. */
const BEFORE_MAILS_MS = 90 * 60_000

/** Looks at a user's questions now: what a new one finds is known from then on. */
export const enqueueLook = (tx: Db, keeper: Keeper, at: Date): Promise<void> =>
  enqueue(tx, QUESTION_JOB, requestOf(keeper, 'look', at, at))

/** Asks for the mail of the next 08:30. */
export const enqueueMail = (tx: Db, keeper: Keeper, at: Date): Promise<void> =>
  enqueue(tx, QUESTION_JOB, requestOf(keeper, 'mail', at, nextMorning(at)))

/** The first day of a moment's month in Bangkok, ISO. */
export const monthOf = (at: Date): string => `${bangkokToday(at).slice(0, 7)}-01`

/** Asks for the mail of 08:30 on the first of the next month. */
export const enqueueMonthlyMail = (tx: Db, keeper: Keeper, at: Date): Promise<void> =>
  enqueue(tx, QUESTION_JOB, requestOf(keeper, 'mail', at, morningOf(addMonths(monthOf(at), 1))))
