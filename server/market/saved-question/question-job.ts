import { defineJob } from '#server/platform/queue/job.ts'
import { enqueueMonthlyMail, QUESTION_JOB, type QuestionTask } from './ask-for-jobs.ts'
import { findKeeper, hasMonthly } from './due-question-queries.ts'
import { lookAtQuestions } from './look-at-questions.ts'
import { mailQuestions } from './mail-questions.ts'
import type { QuestionParts } from './question-parts.ts'

/**
 * Runs the saved questions of one user and reports changes. Each monthly mail schedules the next; so does a
 * dead-lettered one, so that one failure does not end the series.
 */
export const questionJob = defineJob<QuestionTask, QuestionParts>({
  ...QUESTION_JOB,
  concurrency: 1,
  maxAttempts: 10,
  backoff: { firstMs: 10_000, longestMs: 10 * 60_000 },
  diesQuietly: true,
  async run(context, { user, task }) {
    const keeper = await findKeeper(context.db, user)
    if (!keeper) return { user, gone: true }
    if (task === 'mail') return await mailQuestions(context, keeper)
    return keeper.isTold ? await lookAtQuestions(context, keeper) : { user, questions: 0 }
  },
  async died(tx, { user, task }, at, { organisationId }) {
    if (task === 'look' || organisationId === undefined || !(await hasMonthly(tx, user))) return
    await enqueueMonthlyMail(tx, { userId: user, organisationId }, at)
  },
})
