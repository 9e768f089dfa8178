import { getBangkokToday } from '#contract/thai/thai-date.ts'
import { notifySavedQuestionChanges } from '#server/account/notification/create-notifications.ts'
import { COMPANY_FIGURES_VERSION } from '#server/market/company/company-scope.ts'
import { findLoadsWithoutCompanyFacts } from '#server/market/company/queries/update.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { type JobContext, JobPostponedError } from '#server/platform/queue/job.ts'
import { detectSavedQuestionChanges } from './detect-saved-question-changes.ts'
import {
  findActiveSavedQuestions,
  findNewestLoadId,
  type SavedQuestionRecipient,
  storeSavedQuestionProblem,
  storeSavedQuestionState,
  type TrackedSavedQuestion,
} from './due-question-queries.ts'
import { enqueueSavedQuestionMail } from './enqueue-question-jobs.ts'
import { runSavedQuestion } from './run-saved-question.ts'
import type { SavedQuestionJobDependencies } from './saved-question-job-dependencies.ts'

/** Retry delay while the newest load is still being counted, which takes a minute or two. */
const RETRY_DELAY_MS = 60_000

type CheckedQuestion =
  | { readonly id: string; readonly problem: 'refused' | 'heavy' }
  | ({ readonly id: string; readonly name: string } & ReturnType<typeof detectSavedQuestionChanges>)

/**
 * Checks a user's questions that notify on change, and records the baseline of new ones. Storing the changes, adding
 * the bell notification and scheduling the morning email happen in the transaction that ends the job. A killed job has
 * therefore notified no user, and a repeated one finds nothing new.
 */
export async function checkSavedQuestions(
  { db, parts, now, attempt, finish, signal }: JobContext<SavedQuestionJobDependencies>,
  recipient: SavedQuestionRecipient,
): Promise<object> {
  const at = now()
  const { userId } = recipient
  if ((await findLoadsWithoutCompanyFacts(db, COMPANY_FIGURES_VERSION)).length > 0)
    throw new JobPostponedError(new Date(at.getTime() + RETRY_DELAY_MS))
  const load = await findNewestLoadId(db)
  const checked: CheckedQuestion[] = []
  const source = { db, memory: parts.questions.awards }
  for (const { id, name, address, state } of (await findActiveSavedQuestions(db, userId)).filter(isDueForCheck)) {
    signal.throwIfAborted()
    const outcome = await runSavedQuestion(source, recipient, address, { now: at, attempt })
    checked.push(
      'problem' in outcome
        ? { id, ...outcome }
        : { id, name, ...detectSavedQuestionChanges(state, outcome.found, getBangkokToday(at)) },
    )
  }
  return await db.transaction(async (tx) => {
    await finish(tx)
    for (const question of checked)
      await ('problem' in question
        ? storeSavedQuestionProblem(tx, userId, question.id, question.problem)
        : storeSavedQuestionState(tx, userId, question.id, question.state))
    return {
      user: userId,
      questions: checked.length,
      changed: await notifyChanges(tx, recipient, checked, { load, at }),
    }
  })
}

/**
 * True for questions to check now: those that notify on change, and new ones. The others have only a monthly
 * email, and the job that sends that email checks them.
 */
const isDueForCheck = ({ on_change: notifiesOnChange, state }: TrackedSavedQuestion) =>
  notifiesOnChange || state.checkedOn === null

/**
 * Adds one bell notification for all changes of a load, however many questions they affect, and schedules the morning
 * email. Returns the number of changed questions.
 */
async function notifyChanges(
  tx: Db,
  recipient: SavedQuestionRecipient,
  checked: readonly CheckedQuestion[],
  { load, at }: { readonly load: number | null; readonly at: Date },
): Promise<number> {
  const changed = checked
    .filter((question) => 'state' in question)
    .filter(({ newWinners, haveLeadersChanged }) => newWinners.length > 0 || haveLeadersChanged)
  const [first, ...otherChanged] = changed
  if (!first) return 0
  if (recipient.bell && load !== null)
    await notifySavedQuestionChanges(tx, {
      userId: recipient.userId,
      organisationId: recipient.organisationId,
      loadId: load,
      questionId: otherChanged.length === 0 ? first.id : null,
      name: otherChanged.length === 0 ? first.name : `${first.name} และอีก ${otherChanged.length} คำถาม`,
      newWinners: changed.reduce((sum, { newWinners }) => sum + newWinners.length, 0),
      at,
    })
  if (recipient.mail) await enqueueSavedQuestionMail(tx, recipient, at)
  return changed.length
}
