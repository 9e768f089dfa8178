import { questionText } from '#contract/market/who-wins.ts'
import { bangkokToday } from '#contract/thai/thai-date.ts'
import { loadCompanyRefs } from '#server/market/company/queries/find.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { nextMorning } from '#server/platform/mail/morning.ts'
import { renderQuestionMail } from '#server/platform/mail/render-question-mail.ts'
import { type JobContext, JobPostponed } from '#server/platform/queue/job.ts'
import { type QuestionMailPart, toQuestionMail } from './compose-question-mail.ts'
import { detectChanges, hasChanges, type QuestionState } from './detect-changes.ts'
import {
  discardChanges,
  findActiveQuestions,
  hasMonthlyQuestion,
  markMailed,
  type NotifiedOwner,
  storeQuestionProblem,
  storeQuestionState,
  type TrackedQuestion,
} from './due-question-queries.ts'
import { bangkokMonthStart, enqueueMonthlyMail } from './enqueue-question-jobs.ts'
import type { QuestionJobParts } from './question-parts.ts'
import { type QuestionResult, runQuestion } from './run-question.ts'

const MAIL_LIFETIME_MS = 24 * 60 * 60 * 1000

type DueQuestion = {
  readonly question: TrackedQuestion
  readonly state: QuestionState
  readonly result: QuestionResult
  readonly isMonthly: boolean
}

/**
 * Sends at most one email a day with all of a user's questions that have something to report: a due monthly result or
 * changes not emailed yet. The transaction that queues the email also ends the job and marks the changes as reported,
 * so each month and each change is emailed only once even if the job is killed.
 */
export async function mailQuestions(context: JobContext<QuestionJobParts>, keeper: NotifiedOwner): Promise<object> {
  const { db, now, finish } = context
  const at = now()
  const { userId } = keeper
  const [today, month] = [bangkokToday(at), bangkokMonthStart(at)]
  if (!keeper.isTold || !keeper.mail)
    return await db.transaction(async (tx) => {
      await finish(tx)
      await discardChanges(tx, userId, month)
      await scheduleNextMonth(tx, keeper, at)
      return { user: userId, mailed: 0 }
    })
  const isDue = ({ monthly, mailedMonth, on_change: notifiesOnChange, known: state }: TrackedQuestion) =>
    (monthly && mailedMonth < month) || (notifiesOnChange && hasChanges(state))
  const dueQuestions = (await findActiveQuestions(db, userId)).filter(isDue)
  if (dueQuestions.length > 0 && keeper.mailedOn === today) throw new JobPostponed(nextMorning(at))
  const { due: results, problems } = await runQuestions(context, keeper, dueQuestions, month)
  const mailParts = await toMailParts(db, keeper, results)
  return await db.transaction(async (tx) => {
    await finish(tx)
    for (const { question, problem } of problems) await storeQuestionProblem(tx, userId, question.id, problem)
    for (const { question, state, isMonthly } of results)
      await storeQuestionState(tx, userId, question.id, state, { month: isMonthly ? month : undefined })
    await scheduleNextMonth(tx, keeper, at)
    if (results.length === 0) return { user: userId, mailed: 0 }
    const { mails, linksFor } = context.parts.questions
    const content = renderQuestionMail(
      toQuestionMail(mailParts, {
        links: linksFor(userId, at),
        unasked: problems.map(({ question }) => question.name),
      }),
    )
    await markMailed(tx, keeper, today)
    await mails.queue(
      tx,
      {
        kind: 'question',
        to: keeper.email,
        content,
        notAfter: new Date(at.getTime() + MAIL_LIFETIME_MS),
        dedupeKey: `question:${userId}:${today}`,
        organisationId: keeper.organisationId,
        userId,
      },
      at,
    )
    return { user: userId, mailed: results.length }
  })
}

async function scheduleNextMonth(tx: Db, keeper: NotifiedOwner, at: Date): Promise<void> {
  if (await hasMonthlyQuestion(tx, keeper.userId)) await enqueueMonthlyMail(tx, keeper, at)
}

async function runQuestions(
  { db, parts, now, attempt, signal }: JobContext<QuestionJobParts>,
  keeper: NotifiedOwner,
  dueQuestions: readonly TrackedQuestion[],
  month: string,
) {
  const source = { db, memory: parts.questions.awards }
  const results: DueQuestion[] = []
  const problems: { readonly question: TrackedQuestion; readonly problem: 'refused' | 'heavy' }[] = []
  for (const question of dueQuestions) {
    signal.throwIfAborted()
    const outcome = await runQuestion(source, keeper, question.address, { now: now(), attempt })
    if ('problem' in outcome) problems.push({ question, problem: outcome.problem })
    else {
      const { known: state } = detectChanges(question.known, outcome.found, bangkokToday(now()))
      results.push({ question, state, result: outcome, isMonthly: question.monthly && question.mailedMonth < month })
    }
  }
  return { due: results, problems }
}

async function toMailParts(
  db: Db,
  { labels, team }: NotifiedOwner,
  results: readonly DueQuestion[],
): Promise<QuestionMailPart[]> {
  const ids = results.flatMap(({ state }) => [...state.newWinners, ...state.leaders, ...(state.leadersBefore ?? [])])
  const names = await loadCompanyRefs(db, [...new Set(ids)])
  const namesOf = (companyIds: readonly number[]) => companyIds.flatMap((id) => names.get(id)?.name ?? [])
  return results.map(({ question: { name, address }, state, result: { search, answer: figures } }) => ({
    name,
    words: questionText(search, labels, team),
    address,
    answer: figures,
    newWinners: namesOf(state.newWinners),
    leaders: namesOf(state.leaders),
    leadersBefore: state.leadersBefore && namesOf(state.leadersBefore),
  }))
}
