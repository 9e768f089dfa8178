import {
  firstListProofRequestSchema,
  firstListProofSchema,
  firstListRequestSchema,
  firstListSchema,
} from '#contract/market/first-list.ts'
import { KEYWORD_LIST_RULES } from '#contract/matching/keyword.ts'
import { getBangkokToday } from '#contract/thai/thai-date.ts'
import { createBackgroundProjectsCache } from '#server/matching/first-list/background-projects.ts'
import { FIRST_LIST_LIMITS, type FirstListLimits } from '#server/matching/first-list/learn-first-list.ts'
import { findBlacklistedWords, findKeywordLists } from '#server/matching/keyword/queries.ts'
import type { Db } from '#server/platform/engine/db.ts'
import type { PreloadContext, RouteApp, RouteContext } from '#server/platform/route/route-app.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'
import { findNamedCompany } from './find-named-company.ts'
import { createOpenProjectsCache } from './open-projects.ts'
import { proposeFirstList } from './propose-first-list.ts'
import { proveFirstList } from './prove-first-list.ts'
import { loadRivals, loadWonProjects } from './queries.ts'

const config = { feature: 'report' } as const
const tags = ['watch list']

/** Returns how many entries the organisation may still add, so that a whole proposal can be saved. */
async function loadLimits(db: Db, organisationId: number): Promise<FirstListLimits> {
  const lists = await findKeywordLists(db, organisationId)
  if (!lists) throw new ProblemError('session_invalid')
  const left = (list: 'include' | 'deptsub_include') =>
    Math.max(
      0,
      lists.config[KEYWORD_LIST_RULES[list].limit] - lists.keywords.filter((keyword) => keyword.list === list).length,
    )
  return {
    maxPerDay: FIRST_LIST_LIMITS.maxPerDay,
    maxWords: Math.min(FIRST_LIST_LIMITS.maxWords, left('include')),
    maxAgencies: Math.min(FIRST_LIST_LIMITS.maxAgencies, left('deptsub_include')),
    blacklist: await findBlacklistedWords(db),
  }
}

export function firstListRoutes(app: RouteApp, context: RouteContext & PreloadContext): void {
  const { db } = context
  const loadBackground = createBackgroundProjectsCache(db, context.now)
  context.preload(loadBackground)
  const loadOpen = createOpenProjectsCache(db)

  app.post(
    '/organisations/me/first-list',
    {
      config,
      schema: {
        tags,
        summary: 'Propose a watch list learned from the wins of a company; nothing is stored',
        body: firstListRequestSchema,
        response: { 200: firstListSchema },
      },
    },
    async (request) => {
      const { organisationId } = await context.actorOf(request)
      const { company, similar } = await findNamedCompany(db, request.body.company)
      const wins = company ? await loadWonProjects(db, company.id) : []
      if (!company || wins.length === 0) return { company, similar: [...similar], proposal: null }
      const [limits, rivals, background] = [
        await loadLimits(db, organisationId),
        await loadRivals(db, company.id),
        await loadBackground(),
      ]
      return { company, similar: [], proposal: await proposeFirstList(wins, rivals, background, limits) }
    },
  )

  app.post(
    '/organisations/me/first-list/proof',
    {
      config,
      schema: {
        tags,
        summary: 'Show which wins of a company and which open projects a proposed watch list finds; nothing is stored',
        body: firstListProofRequestSchema,
        response: { 200: firstListProofSchema },
      },
    },
    async (request) => {
      await context.actorOf(request)
      const wins = await loadWonProjects(db, request.body.company_id)
      if (wins.length === 0) throw new ProblemError('not_found')
      const open = await loadOpen(getBangkokToday(context.now()))
      const background = await loadBackground()
      return proveFirstList(request.body, { wins, open, background, blacklist: await findBlacklistedWords(db) })
    },
  )
}
