import { bangkokToday } from '#contract/thai/thai-date.ts'
import { notifyQuestionNews } from '#server/account/notification/create-notifications.ts'
import { COMPANIES_VERSION } from '#server/market/company/company-scope.ts'
import { findLoadsToCount } from '#server/market/company/queries/update.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { type JobContext, JobPostponed } from '#server/platform/queue/job.ts'
import { enqueueMail } from './ask-for-jobs.ts'
import { askQuestion } from './ask-question.ts'
import {
  findNewestLoad,
  findQuestionsToAsk,
  type KeptQuestion,
  storeKnown,
  storeProblem,
  type ToldKeeper,
} from './due-question-queries.ts'
import type { QuestionParts } from './question-parts.ts'
import { whatIsNew } from './what-is-new.ts'

/** Retry delay while the newest load is being counted, which takes a minute or two. */
const COUNTED_SOON_MS = 60_000

type Looked =
  | { readonly id: string; readonly problem: 'refused' | 'heavy' }
  | ({ readonly id: string; readonly name: string } & ReturnType<typeof whatIsNew>)

/**
 * Checks a user's questions that notify on change, and new ones for their baseline. Storing the changes, the one bell
 * notification and scheduling the morning mail happen in the transaction that ends the job, so a killed job notified no
 * user and a repeated one finds nothing new.
 */
export async function lookAtQuestions(
  { db, parts, now, attempt, finish, signal }: JobContext<QuestionParts>,
  keeper: ToldKeeper,
): Promise<object> {
  const at = now()
  const { userId } = keeper
  if ((await findLoadsToCount(db, COMPANIES_VERSION)).length > 0)
    throw new JobPostponed(new Date(at.getTime() + COUNTED_SOON_MS))
  const load = await findNewestLoad(db)
  const looked: Looked[] = []
  const asked = { db, memory: parts.questions.awards }
  for (const { id, name, address, known } of (await findQuestionsToAsk(db, userId)).filter(isToLookAt)) {
    signal.throwIfAborted()
    const answered = await askQuestion(asked, keeper, address, { now: at, attempt })
    looked.push(
      'problem' in answered ? { id, ...answered } : { id, name, ...whatIsNew(known, answered.found, bangkokToday(at)) },
    )
  }
  return await db.transaction(async (tx) => {
    await finish(tx)
    for (const one of looked)
      await ('problem' in one
        ? storeProblem(tx, userId, one.id, one.problem)
        : storeKnown(tx, userId, one.id, one.known))
    return { user: userId, questions: looked.length, told: await tell(tx, keeper, looked, { load, at }) }
  })
}

/** Questions with only the monthly mail are checked when saved, and then by that mail. */
const isToLookAt = ({ on_change: isTold, known }: KeptQuestion) => isTold || known.lookedOn === null

/**
 * Adds one bell notification for all changes of a load, however many questions they affect, and schedules the morning
 * mail. Returns the number of changed questions.
 */
async function tell(
  tx: Db,
  keeper: ToldKeeper,
  looked: readonly Looked[],
  { load, at }: { readonly load: number | null; readonly at: Date },
): Promise<number> {
  const news = looked.filter((one) => 'fresh' in one).filter(({ fresh, isMoved }) => fresh.length > 0 || isMoved)
  const [first, ...others] = news
  if (!first) return 0
  if (keeper.bell && load !== null)
    await notifyQuestionNews(tx, {
      userId: keeper.userId,
      organisationId: keeper.organisationId,
      loadId: load,
      questionId: others.length === 0 ? first.id : null,
      name: others.length === 0 ? first.name : `${first.name} และอีก ${others.length} คำถาม`,
      newWinners: news.reduce((sum, { fresh }) => sum + fresh.length, 0),
      at,
    })
  if (keeper.mail) await enqueueMail(tx, keeper, at)
  return news.length
}
