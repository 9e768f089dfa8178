import { bangkokToday } from '#contract/thai/thai-date.ts'
import { notifyQuestionChanges } from '#server/account/notification/create-notifications.ts'
import { COMPANIES_VERSION } from '#server/market/company/company-scope.ts'
import { findLoadsToCount } from '#server/market/company/queries/update.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { type JobContext, JobPostponed } from '#server/platform/queue/job.ts'
import { detectChanges } from './detect-changes.ts'
import {
  findActiveQuestions,
  findNewestLoad,
  type NotifiedOwner,
  storeQuestionProblem,
  storeQuestionState,
  type TrackedQuestion,
} from './due-question-queries.ts'
import { enqueueQuestionMail } from './enqueue-question-jobs.ts'
import type { QuestionJobParts } from './question-parts.ts'
import { runQuestion } from './run-question.ts'

/** Retry delay while the newest load is still being counted, which takes a minute or two. */
const RETRY_DELAY_MS = 60_000

type CheckedQuestion =
  | { readonly id: string; readonly problem: 'refused' | 'heavy' }
  | ({ readonly id: string; readonly name: string } & ReturnType<typeof detectChanges>)

/**
 * Checks a user's questions that notify on change, and records the baseline of new ones. Storing the changes, adding
 * the bell notification and scheduling the morning email happen in the transaction that ends the job. A killed job has
 * therefore notified no user, and a repeated one finds nothing new.
 */
export async function checkQuestions(
  { db, parts, now, attempt, finish, signal }: JobContext<QuestionJobParts>,
  keeper: NotifiedOwner,
): Promise<object> {
  const at = now()
  const { userId } = keeper
  if ((await findLoadsToCount(db, COMPANIES_VERSION)).length > 0)
    throw new JobPostponed(new Date(at.getTime() + RETRY_DELAY_MS))
  const load = await findNewestLoad(db)
  const checked: CheckedQuestion[] = []
  const source = { db, memory: parts.questions.awards }
  for (const { id, name, address, known: state } of (await findActiveQuestions(db, userId)).filter(isToLookAt)) {
    signal.throwIfAborted()
    const outcome = await runQuestion(source, keeper, address, { now: at, attempt })
    checked.push(
      'problem' in outcome
        ? { id, ...outcome }
        : { id, name, ...detectChanges(state, outcome.found, bangkokToday(at)) },
    )
  }
  return await db.transaction(async (tx) => {
    await finish(tx)
    for (const question of checked)
      await ('problem' in question
        ? storeQuestionProblem(tx, userId, question.id, question.problem)
        : storeQuestionState(tx, userId, question.id, question.known))
    return { user: userId, questions: checked.length, told: await notifyChanges(tx, keeper, checked, { load, at }) }
  })
}

/** Questions with only a monthly email are checked when saved, and from then on by the job that sends that email. */
const isToLookAt = ({ on_change: notifiesOnChange, known: state }: TrackedQuestion) =>
  notifiesOnChange || state.lookedOn === null

/**
 * Adds one bell notification for all changes of a load, however many questions they affect, and schedules the morning
 * email. Returns the number of changed questions.
 */
async function notifyChanges(
  tx: Db,
  keeper: NotifiedOwner,
  checked: readonly CheckedQuestion[],
  { load, at }: { readonly load: number | null; readonly at: Date },
): Promise<number> {
  const changed = checked
    .filter((question) => 'fresh' in question)
    .filter(({ fresh, isMoved }) => fresh.length > 0 || isMoved)
  const [first, ...otherChanged] = changed
  if (!first) return 0
  if (keeper.bell && load !== null)
    await notifyQuestionChanges(tx, {
      userId: keeper.userId,
      organisationId: keeper.organisationId,
      loadId: load,
      questionId: otherChanged.length === 0 ? first.id : null,
      name: otherChanged.length === 0 ? first.name : `${first.name} และอีก ${otherChanged.length} คำถาม`,
      newWinners: changed.reduce((sum, { fresh }) => sum + fresh.length, 0),
      at,
    })
  if (keeper.mail) await enqueueQuestionMail(tx, keeper, at)
  return changed.length
}
