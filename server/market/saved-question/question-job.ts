import { defineJob } from '#server/platform/queue/job.ts'
import { checkQuestions } from './check-questions.ts'
import { findQuestionOwner, hasMonthlyQuestion } from './due-question-queries.ts'
import { enqueueMonthlyMail, QUESTION_JOB, type QuestionTask } from './enqueue-question-jobs.ts'
import { mailQuestions } from './mail-questions.ts'
import type { QuestionJobParts } from './question-parts.ts'

/**
 * Runs the saved questions of one user and reports changes. Each monthly email schedules the next, even if its job is
 * dead-lettered, so that a single failure does not end the series.
 */
export const questionJob = defineJob<QuestionTask, QuestionJobParts>({
  ...QUESTION_JOB,
  concurrency: 1,
  maxAttempts: 10,
  backoff: { firstMs: 10_000, maxMs: 10 * 60_000 },
  diesQuietly: true,
  async run(context, { user, task }) {
    const keeper = await findQuestionOwner(context.db, user)
    if (!keeper) return { user, gone: true }
    if (task === 'mail') return await mailQuestions(context, keeper)
    return keeper.isTold ? await checkQuestions(context, keeper) : { user, questions: 0 }
  },
  async died(tx, { user, task }, at, { organisationId }) {
    if (task === 'look' || organisationId === undefined || !(await hasMonthlyQuestion(tx, user))) return
    await enqueueMonthlyMail(tx, { userId: user, organisationId }, at)
  },
})
