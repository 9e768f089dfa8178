import { defineJob } from '#server/platform/queue/job.ts'
import { checkSavedQuestions } from './check-saved-questions.ts'
import { findSavedQuestionRecipient, hasMonthlySavedQuestion } from './due-question-queries.ts'
import {
  enqueueMonthlySavedQuestionMail,
  SAVED_QUESTION_JOB_TYPE,
  type SavedQuestionTask,
} from './enqueue-question-jobs.ts'
import type { SavedQuestionJobDependencies } from './saved-question-job-dependencies.ts'
import { sendSavedQuestionMail } from './send-saved-question-mail.ts'

/**
 * Runs the saved questions of one user and reports changes. Each monthly email schedules the next, even if its job is
 * dead-lettered, so that a single failure does not end the series.
 */
export const savedQuestionJob = defineJob<SavedQuestionTask, SavedQuestionJobDependencies>({
  ...SAVED_QUESTION_JOB_TYPE,
  concurrency: 1,
  maxAttempts: 10,
  backoff: { firstMs: 10_000, maxMs: 10 * 60_000 },
  diesQuietly: true,
  async run(context, { user, task }) {
    const recipient = await findSavedQuestionRecipient(context.db, user)
    if (!recipient) return { user, gone: true }
    if (task === 'mail') return await sendSavedQuestionMail(context, recipient)
    return recipient.isNotifiable ? await checkSavedQuestions(context, recipient) : { user, questions: 0 }
  },
  async died(tx, { user, task }, at, { organisationId }) {
    if (task === 'look' || organisationId === undefined || !(await hasMonthlySavedQuestion(tx, user))) return
    await enqueueMonthlySavedQuestionMail(tx, { userId: user, organisationId }, at)
  },
})
