import {
  type KeywordTermAdviceList,
  keywordTermAdviceDismissalSchema,
  keywordTermAdviceListSchema,
} from '#contract/matching/term-advice.ts'
import { toNormalisedSearchText } from '#contract/thai/thai-text.ts'
import type { Db } from '#server/platform/engine/db.ts'
import type { RouteApp, RouteContext } from '#server/platform/route/route-app.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'
import { declineKeywordTermAdvice, findOpenKeywordTermAdditions, findOpenKeywordTermAdvice } from './queries.ts'

const tags = ['watch list']
const path = '/organisations/me/term-advice'
const config = { feature: 'report' } as const
const TITLES_PER_TERM = 3

const listOf = async (db: Db, userId: number): Promise<KeywordTermAdviceList> => ({
  advice: await findOpenKeywordTermAdvice(db, userId, TITLES_PER_TERM),
  additions: await findOpenKeywordTermAdditions(db, userId, TITLES_PER_TERM),
})

export function keywordTermAdviceRoutes(app: RouteApp, context: RouteContext): void {
  const { db } = context
  app.get(
    path,
    {
      config,
      schema: {
        tags,
        summary: 'List terms to remove from AI keywords, and terms of wanted projects to add',
        response: { 200: keywordTermAdviceListSchema },
      },
    },
    async (request) => listOf(db, (await context.actorOf(request)).userId),
  )
  app.put(
    path,
    {
      config: { ...config, demo: 'demo_read_only' },
      schema: {
        tags,
        summary: 'Dismiss the advice to remove or add a term permanently, or undo that',
        body: keywordTermAdviceDismissalSchema,
        response: { 200: keywordTermAdviceListSchema },
      },
    },
    async (request) => {
      const { userId } = await context.actorOf(request)
      const { refused, term, ...about } = request.body
      const refusedAt = refused ? context.now() : null
      if (
        !(await declineKeywordTermAdvice(db, userId, { ...about, term_key: toNormalisedSearchText(term) }, refusedAt))
      )
        throw new ProblemError('not_found')
      return listOf(db, userId)
    },
  )
}
