import type { WhoWins } from '#contract/market/who-wins.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { bangkokToday } from '#contract/thai/thai-date.ts'
import { isoDay, NO_DAY } from '#server/market/company/memory/fact-columns.ts'
import { answerAwards } from '#server/market/who-wins/answer-awards.ts'
import { countAwards } from '#server/market/who-wins/count-awards.ts'
import type { AwardMemory } from '#server/market/who-wins/memory/award-memory.ts'
import { presentWhoWins } from '#server/market/who-wins/present.ts'
import { winnersOf } from '#server/market/who-wins/rank-companies.ts'
import { readWinsInput } from '#server/market/who-wins/routes.ts'
import { type Db, QueryTimeout } from '#server/platform/engine/db.ts'
import { JobFailure } from '#server/platform/queue/job.ts'
import { ProblemError } from '#server/platform/route/problem.ts'
import { previousVisit } from '#server/report/visit-queries.ts'
import type { Keeper } from './queries.ts'
import type { Found } from './what-is-new.ts'

export type AskedOf = { readonly db: Db; readonly memory: AwardMemory | undefined }

export type Answered = {
  readonly search: ReportSearch
  readonly answer: Omit<WhoWins, 'ignored_parameters'>
  readonly found: Found
}
export type Asked = Answered | { readonly problem: 'refused' | 'heavy' }

/**
 * The in-process cache for whole-market queries takes half a minute to load a year; the job retries this many times
 * meanwhile.
 */
const PATIENT_TRIES = 6

/**
 * Runs a saved question for its owner, as the view would. Rejected or unknown filters are a problem, because ignoring
 * them would change the result. A query that takes too long throws `JobFailure`, so a later `attempt` retries it,
 * before it counts as a problem.
 */
export async function askQuestion(
  { db, memory }: AskedOf,
  { userId, organisationId }: Keeper,
  address: Readonly<Record<string, string>>,
  { now, attempt }: { readonly now: Date; readonly attempt: number },
): Promise<Asked> {
  try {
    const { search, ignored } = readWinsInput(address)
    if (ignored.length > 0) return { problem: 'refused' }
    const scope = {
      organisationId,
      userId,
      today: bangkokToday(now),
      visit: await previousVisit(db, userId, now),
      isMarket: search.market === true,
      // The demo has no saved questions.
      isSampleOnly: false,
    }
    const rank = search.rank ?? 'value'
    return await answerAwards({ db, memory }, search, scope, async (awards) => {
      const counted = await countAwards(awards)
      const answer = await presentWhoWins(db, awards, { rank, scope, counted })
      const winners = winnersOf(counted).map((company) => {
        const first = counted.companies.first[company]!
        return { id: awards.columns.companyIds[company]!, firstOn: first === NO_DAY ? null : isoDay(first) }
      })
      return { search, answer, found: { winners, ranked: answer.companies.results.map(({ id }) => id) } }
    })
  } catch (error) {
    if (error instanceof ProblemError && error.code === 'bad_input') return { problem: 'refused' }
    const isHeavy = error instanceof QueryTimeout || (error instanceof ProblemError && error.code === 'unavailable')
    if (!isHeavy) throw error
    if (attempt < PATIENT_TRIES) throw new JobFailure('a question cannot be answered yet')
    return { problem: 'heavy' }
  }
}
