import type { WhoWins } from '#contract/market/who-wins.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { getBangkokToday } from '#contract/thai/thai-date.ts'
import { MISSING_DAY_NUMBER } from '#server/market/company/memory/company-fact-columns.ts'
import { countAwards } from '#server/market/who-wins/count-awards.ts'
import type { AwardCache } from '#server/market/who-wins/memory/award-cache.ts'
import { presentWhoWins } from '#server/market/who-wins/present-who-wins.ts'
import { getWinningCompanyIndexes } from '#server/market/who-wins/rank-companies.ts'
import { parseWhoWinsInput } from '#server/market/who-wins/routes.ts'
import { withAwards } from '#server/market/who-wins/with-awards.ts'
import { type Db, QueryTimeoutError } from '#server/platform/engine/db.ts'
import { JobFailedError } from '#server/platform/queue/job.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'
import { formatDayNumber } from '#server/platform/text/day-number.ts'
import { findPreviousReportVisit } from '#server/report/visit-queries.ts'
import type { WinnerSnapshot } from './detect-saved-question-changes.ts'
import type { SavedQuestionOwner } from './queries.ts'

export type SavedQuestionDataSource = { readonly db: Db; readonly memory: AwardCache | undefined }

export type SavedQuestionResult = {
  readonly search: ReportSearch
  readonly answer: Omit<WhoWins, 'ignored_parameters'>
  readonly found: WinnerSnapshot
}
export type SavedQuestionRunOutcome = SavedQuestionResult | { readonly problem: 'refused' | 'heavy' }

/** Maximum tries while the in-process cache loads: half a minute in all, for a year of whole-market data. */
const MAX_TRIES = 6

/**
 * Runs a saved question for its owner, with the same result as the view ใครชนะ. Rejected or unknown filters count as a
 * problem, because ignoring them would change the result. A query that takes too long throws `JobFailedError`, so that
 * a later `attempt` retries it; only after the last attempt does the timeout count as a problem.
 */
export async function runSavedQuestion(
  { db, memory }: SavedQuestionDataSource,
  { userId, organisationId }: SavedQuestionOwner,
  address: Readonly<Record<string, string>>,
  { now, attempt }: { readonly now: Date; readonly attempt: number },
): Promise<SavedQuestionRunOutcome> {
  try {
    const { search, ignored } = parseWhoWinsInput(address)
    if (ignored.length > 0) return { problem: 'refused' }
    const scope = {
      organisationId,
      userId,
      today: getBangkokToday(now),
      visit: await findPreviousReportVisit(db, userId, now),
      isMarket: search.market === true,
    }
    const rank = search.rank ?? 'value'
    return await withAwards({ db, memory }, search, scope, async (awards) => {
      const counts = await countAwards(awards)
      const figures = await presentWhoWins(db, awards, { rank, scope, counts })
      const winners = getWinningCompanyIndexes(counts).map((company) => {
        const firstDay = counts.companies.firstWin[company]!
        return {
          id: awards.columns.companyIds[company]!,
          firstOn: firstDay === MISSING_DAY_NUMBER ? null : formatDayNumber(firstDay),
        }
      })
      return { search, answer: figures, found: { winners, ranked: figures.companies.results.map(({ id }) => id) } }
    })
  } catch (error) {
    if (error instanceof ProblemError && error.code === 'bad_input') return { problem: 'refused' }
    const isHeavy =
      error instanceof QueryTimeoutError || (error instanceof ProblemError && error.code === 'unavailable')
    if (!isHeavy) throw error
    if (attempt < MAX_TRIES) throw new JobFailedError('a question cannot be answered yet')
    return { problem: 'heavy' }
  }
}
