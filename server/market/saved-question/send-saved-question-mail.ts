import { formatSavedQuestion } from '#contract/market/who-wins.ts'
import { getBangkokToday } from '#contract/thai/thai-date.ts'
import { loadCompanyRefs } from '#server/market/company/queries/find.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { getNextMorning } from '#server/platform/mail/morning.ts'
import { renderSavedQuestionMail } from '#server/platform/mail/render-saved-question-mail.ts'
import { type JobContext, JobPostponedError } from '#server/platform/queue/job.ts'
import { composeSavedQuestionMail, type SavedQuestionMailEntry } from './compose-question-mail.ts'
import {
  detectSavedQuestionChanges,
  hasUnsentQuestionChanges,
  type SavedQuestionState,
} from './detect-saved-question-changes.ts'
import {
  discardSavedQuestionChanges,
  findActiveSavedQuestions,
  hasMonthlySavedQuestion,
  markSavedQuestionsMailed,
  type SavedQuestionRecipient,
  storeSavedQuestionProblem,
  storeSavedQuestionState,
  type TrackedSavedQuestion,
} from './due-question-queries.ts'
import { enqueueMonthlySavedQuestionMail, getBangkokMonthStart } from './enqueue-question-jobs.ts'
import { runSavedQuestion, type SavedQuestionResult } from './run-saved-question.ts'
import type { SavedQuestionJobDependencies } from './saved-question-job-dependencies.ts'

const MAIL_LIFETIME_MS = 24 * 60 * 60 * 1000

type DueQuestion = {
  readonly question: TrackedSavedQuestion
  readonly state: SavedQuestionState
  readonly result: SavedQuestionResult
  readonly isMonthly: boolean
}

/**
 * Sends at most one email a day with all of a user's questions that have something to report: a due monthly result or
 * changes not emailed yet. The transaction that queues the email also ends the job and marks the changes as reported,
 * so each month and each change is emailed only once even if the job is killed.
 */
export async function sendSavedQuestionMail(
  context: JobContext<SavedQuestionJobDependencies>,
  recipient: SavedQuestionRecipient,
): Promise<object> {
  const { db, now, finish } = context
  const at = now()
  const { userId } = recipient
  const [today, month] = [getBangkokToday(at), getBangkokMonthStart(at)]
  if (!recipient.isNotifiable || !recipient.mail)
    return await db.transaction(async (tx) => {
      await finish(tx)
      await discardSavedQuestionChanges(tx, userId, month)
      await scheduleNextMonth(tx, recipient, at)
      return { user: userId, mailed: 0 }
    })
  const isDue = ({ monthly, mailedMonth, on_change: notifiesOnChange, state }: TrackedSavedQuestion) =>
    (monthly && mailedMonth < month) || (notifiesOnChange && hasUnsentQuestionChanges(state))
  const dueQuestions = (await findActiveSavedQuestions(db, userId)).filter(isDue)
  if (dueQuestions.length > 0 && recipient.mailedOn === today) throw new JobPostponedError(getNextMorning(at))
  const { due: results, problems } = await runQuestions(context, recipient, dueQuestions, month)
  const mailParts = await toMailParts(db, recipient, results)
  return await db.transaction(async (tx) => {
    await finish(tx)
    for (const { question, problem } of problems) await storeSavedQuestionProblem(tx, userId, question.id, problem)
    for (const { question, state, isMonthly } of results)
      await storeSavedQuestionState(tx, userId, question.id, state, { month: isMonthly ? month : undefined })
    await scheduleNextMonth(tx, recipient, at)
    if (results.length === 0) return { user: userId, mailed: 0 }
    const { mails, linksFor } = context.parts.questions
    const content = renderSavedQuestionMail(
      composeSavedQuestionMail(mailParts, {
        links: linksFor(userId, at),
        failed: problems.map(({ question }) => question.name),
      }),
    )
    await markSavedQuestionsMailed(tx, recipient, today)
    await mails.queue(
      tx,
      {
        kind: 'question',
        to: recipient.email,
        content,
        notAfter: new Date(at.getTime() + MAIL_LIFETIME_MS),
        dedupeKey: `question:${userId}:${today}`,
        organisationId: recipient.organisationId,
        userId,
      },
      at,
    )
    return { user: userId, mailed: results.length }
  })
}

async function scheduleNextMonth(tx: Db, recipient: SavedQuestionRecipient, at: Date): Promise<void> {
  if (await hasMonthlySavedQuestion(tx, recipient.userId)) await enqueueMonthlySavedQuestionMail(tx, recipient, at)
}

async function runQuestions(
  { db, parts, now, attempt, signal }: JobContext<SavedQuestionJobDependencies>,
  recipient: SavedQuestionRecipient,
  dueQuestions: readonly TrackedSavedQuestion[],
  month: string,
) {
  const source = { db, memory: parts.questions.awards }
  const results: DueQuestion[] = []
  const problems: { readonly question: TrackedSavedQuestion; readonly problem: 'refused' | 'heavy' }[] = []
  for (const question of dueQuestions) {
    signal.throwIfAborted()
    const outcome = await runSavedQuestion(source, recipient, question.address, { now: now(), attempt })
    if ('problem' in outcome) problems.push({ question, problem: outcome.problem })
    else {
      const { state } = detectSavedQuestionChanges(question.state, outcome.found, getBangkokToday(now()))
      results.push({ question, state, result: outcome, isMonthly: question.monthly && question.mailedMonth < month })
    }
  }
  return { due: results, problems }
}

async function toMailParts(
  db: Db,
  { labels, team }: SavedQuestionRecipient,
  results: readonly DueQuestion[],
): Promise<SavedQuestionMailEntry[]> {
  const ids = results.flatMap(({ state }) => [...state.newWinners, ...state.leaders, ...(state.leadersBefore ?? [])])
  const names = await loadCompanyRefs(db, [...new Set(ids)])
  const namesOf = (companyIds: readonly number[]) => companyIds.flatMap((id) => names.get(id)?.name ?? [])
  return results.map(({ question: { name, address }, state, result: { search, answer: figures } }) => ({
    name,
    words: formatSavedQuestion(search, labels, team),
    address,
    answer: figures,
    newWinners: namesOf(state.newWinners),
    leaders: namesOf(state.leaders),
    leadersBefore: state.leadersBefore && namesOf(state.leadersBefore),
  }))
}
