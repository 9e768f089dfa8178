import { questionText } from '#contract/market/who-wins.ts'
import { bangkokToday } from '#contract/thai/thai-date.ts'
import { loadCompanies } from '#server/market/company/queries/find.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { nextMorning } from '#server/platform/mail/morning.ts'
import { renderQuestionMail } from '#server/platform/mail/question-mail.ts'
import { type JobContext, JobPostponed } from '#server/platform/queue/job.ts'
import { enqueueMonthlyMail, monthOf } from './ask-for-jobs.ts'
import { type Answered, askQuestion } from './ask-question.ts'
import {
  findQuestionsToAsk,
  forgetNews,
  hasMonthly,
  type KeptQuestion,
  markMailed,
  storeKnown,
  storeProblem,
  type ToldKeeper,
} from './due-question-queries.ts'
import { type PartOfMail, questionMailOf } from './question-mail.ts'
import type { QuestionParts } from './question-parts.ts'
import { hasNews, type Known, whatIsNew } from './what-is-new.ts'

/** A delayed morning mail is useless the next day. */
const GOOD_FOR_MS = 24 * 60 * 60 * 1000

type Due = {
  readonly question: KeptQuestion
  readonly known: Known
  readonly answered: Answered
  readonly isMonthly: boolean
}

/**
 * Sends one mail a day with all of a user's questions that have something to report: a due monthly result or changes
 * not mailed yet. The transaction that queues it also ends the job and marks the changes as mailed, so even after a
 * kill each month and each change is mailed once.
 */
export async function mailQuestions(context: JobContext<QuestionParts>, keeper: ToldKeeper): Promise<object> {
  const { db, now, finish } = context
  const at = now()
  const { userId } = keeper
  const [today, month] = [bangkokToday(at), monthOf(at)]
  if (!keeper.isTold || !keeper.mail)
    return await db.transaction(async (tx) => {
      await finish(tx)
      await forgetNews(tx, userId, month)
      await nextMonth(tx, keeper, at)
      return { user: userId, mailed: 0 }
    })
  const isDue = ({ monthly, mailedMonth, on_change: isTold, known }: KeptQuestion) =>
    (monthly && mailedMonth < month) || (isTold && hasNews(known))
  const wanted = (await findQuestionsToAsk(db, userId)).filter(isDue)
  if (wanted.length > 0 && keeper.mailedOn === today) throw new JobPostponed(nextMorning(at))
  const { due, problems } = await ask(context, keeper, wanted, month)
  const parts = await partsOf(db, keeper, due)
  return await db.transaction(async (tx) => {
    await finish(tx)
    for (const { question, problem } of problems) await storeProblem(tx, userId, question.id, problem)
    for (const { question, known, isMonthly } of due)
      await storeKnown(tx, userId, question.id, known, { month: isMonthly ? month : undefined })
    await nextMonth(tx, keeper, at)
    if (due.length === 0) return { user: userId, mailed: 0 }
    const { mails, linksFor } = context.parts.questions
    const content = renderQuestionMail(
      questionMailOf(parts, { links: linksFor(userId, at), unasked: problems.map(({ question }) => question.name) }),
    )
    await markMailed(tx, keeper, today)
    await mails.queue(
      tx,
      {
        kind: 'question',
        to: keeper.email,
        content,
        notAfter: new Date(at.getTime() + GOOD_FOR_MS),
        dedupeKey: `question:${userId}:${today}`,
        organisationId: keeper.organisationId,
        userId,
      },
      at,
    )
    return { user: userId, mailed: due.length }
  })
}

async function nextMonth(tx: Db, keeper: ToldKeeper, at: Date): Promise<void> {
  if (await hasMonthly(tx, keeper.userId)) await enqueueMonthlyMail(tx, keeper, at)
}

/** The mail includes changes since the last check even for questions with only the monthly mail. */
async function ask(
  { db, parts, now, attempt, signal }: JobContext<QuestionParts>,
  keeper: ToldKeeper,
  wanted: readonly KeptQuestion[],
  month: string,
) {
  const asked = { db, memory: parts.questions.awards }
  const due: Due[] = []
  const problems: { readonly question: KeptQuestion; readonly problem: 'refused' | 'heavy' }[] = []
  for (const question of wanted) {
    signal.throwIfAborted()
    const answered = await askQuestion(asked, keeper, question.address, { now: now(), attempt })
    if ('problem' in answered) problems.push({ question, problem: answered.problem })
    else {
      const { known } = whatIsNew(question.known, answered.found, bangkokToday(now()))
      due.push({ question, known, answered, isMonthly: question.monthly && question.mailedMonth < month })
    }
  }
  return { due, problems }
}

async function partsOf(db: Db, { labels, team }: ToldKeeper, due: readonly Due[]): Promise<PartOfMail[]> {
  const ids = due.flatMap(({ known }) => [...known.newWinners, ...known.leaders, ...(known.leadersBefore ?? [])])
  const names = await loadCompanies(db, [...new Set(ids)])
  const named = (some: readonly number[]) => some.flatMap((id) => names.get(id)?.name ?? [])
  return due.map(({ question: { name, address }, known, answered: { search, answer } }) => ({
    name,
    words: questionText(search, labels, team),
    address,
    answer,
    newWinners: named(known.newWinners),
    leaders: named(known.leaders),
    leadersBefore: known.leadersBefore && named(known.leadersBefore),
  }))
}
