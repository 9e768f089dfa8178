import type { FastifyRequest } from 'fastify'
import { z } from 'zod/mini'
import { unusualAwardPatternsSchema } from '#contract/market/unusual-award-patterns.ts'
import { WON_PROJECTS_PAGE_SIZE, whoWinsSchema, wonProjectsSchema } from '#contract/market/who-wins.ts'
import { getSearchFilterTexts } from '#contract/report/filter-text.ts'
import {
  findReportParam,
  OWN_PROJECT_PARAMS,
  omitBidStates,
  REPORT_PARAMS,
  type ReportSearch,
} from '#contract/report/report-params.ts'
import { getBangkokToday } from '#contract/thai/thai-date.ts'
import type { RouteApp, RouteContext, UsageDescription } from '#server/platform/route/route-app.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'
import { parseReportQueryInput } from '#server/report/report-input.ts'
import { assertPursuitDataAccess } from '#server/report/team-work-access.ts'
import { findPreviousReportVisit } from '#server/report/visit-queries.ts'
import type { WhoWinsScope } from './award-set.ts'
import { loadFigureProjectIds } from './load-figure-project-ids.ts'
import type { AwardCache } from './memory/award-cache.ts'
import { presentWhoWins, presentWonProject } from './present-who-wins.ts'
import { loadWonProjects } from './queries.ts'
import { presentUnusualAwardPatterns } from './signs/present-signs.ts'
import { withAwards } from './with-awards.ts'

/**
 * This schema only documents the parameters in the API reference; `parseReportQueryInput` validates them, with messages
 * in Thai.
 */
export const whoWinsQuerystringSchema = z.looseObject(
  Object.fromEntries(REPORT_PARAMS.map(({ name }) => [name, z.optional(z.union([z.string(), z.array(z.string())]))])),
)

/**
 * Parses a search like the report does, but without bid states. For the whole market it rejects filters that only apply
 * to our projects, because ignoring them would silently widen the result.
 */
export function parseWhoWinsInput(query: unknown): {
  readonly search: ReportSearch
  readonly ignored: readonly string[]
} {
  const { search: reportSearch, ignored } = parseReportQueryInput(query)
  const input = { search: omitBidStates(reportSearch), ignored }
  if (!input.search.market) return input
  const refused = OWN_PROJECT_PARAMS.filter((name) => input.search[name] !== undefined)
  if (refused.length === 0) return input
  const reason = 'ใช้ได้กับโครงการของเราเท่านั้น เอาตัวกรองนี้ออก หรือเลือกดูเฉพาะโครงการของเรา'
  throw new ProblemError('bad_input', {
    fields: Object.fromEntries(refused.map((name) => [name, [`${findReportParam(name).th}: ${reason}`]])),
  })
}

export async function resolveWhoWinsScope(
  context: RouteContext,
  request: Parameters<RouteContext['actorOf']>[0],
  search: ReportSearch,
): Promise<WhoWinsScope> {
  const actor = await context.actorOf(request)
  const { organisationId, userId } = actor
  const now = context.now()
  return {
    organisationId,
    userId,
    today: getBangkokToday(now),
    visit: await findPreviousReportVisit(context.db, userId, now),
    isMarket: search.market === true,
  }
}

const describe = ({ query }: FastifyRequest): UsageDescription | undefined => {
  const search = omitBidStates(parseReportQueryInput(query).search)
  const words = getSearchFilterTexts(search, [])
  return {
    type: 'open',
    description: search.market ? 'ดูว่าใครชนะ ทั้งตลาด' : 'ดูว่าใครชนะในรายงาน',
    info: words.map(({ label, value, negated }) => ({
      name: label || 'แท็บ',
      value: negated ? `ไม่ใช่ ${value}` : value,
    })),
  }
}

export function whoWinsRoutes(
  app: RouteApp,
  context: RouteContext & { readonly memory?: AwardCache | undefined },
): void {
  const { db } = context
  app.get(
    '/who-wins',
    {
      config: { feature: 'company_compare', usage: describe, key: 'companies' },
      schema: {
        tags: ['report'],
        summary:
          'Analyse who wins, where and at what price among the projects of a search. Covers the report of the caller or the whole market; project_bidding__in is ignored',
        querystring: whoWinsQuerystringSchema,
        response: { 200: whoWinsSchema },
      },
    },
    async (request) => {
      const { search, ignored } = parseWhoWinsInput(request.query)
      assertPursuitDataAccess(await context.actorOf(request), search)
      const scope = await resolveWhoWinsScope(context, request, search)
      const rank = search.rank ?? 'value'
      const figures = await withAwards(context, search, scope, (awards) => presentWhoWins(db, awards, { rank, scope }))
      return { ...figures, ignored_parameters: [...ignored] }
    },
  )

  app.get(
    '/who-wins/signs',
    {
      config: { feature: 'company_compare' },
      schema: {
        tags: ['report'],
        summary: 'List notable facts about the awards of a search. Each has its sample size (n) and threshold',
        querystring: whoWinsQuerystringSchema,
        response: { 200: unusualAwardPatternsSchema },
      },
    },
    async (request) => {
      const { search, ignored } = parseWhoWinsInput(request.query)
      const scope = await resolveWhoWinsScope(context, request, search)
      const signs = await withAwards(context, search, scope, (awards) => presentUnusualAwardPatterns(db, awards))
      return { ...signs, ignored_parameters: [...ignored] }
    },
  )

  app.get(
    '/who-wins/projects',
    {
      config: { feature: 'company_compare' },
      schema: {
        tags: ['report'],
        summary: 'List the projects behind one figure of `GET /who-wins` or `GET /who-wins/signs`',
        querystring: whoWinsQuerystringSchema,
        response: { 200: wonProjectsSchema },
      },
    },
    async (request) => {
      const { search } = parseWhoWinsInput(request.query)
      const scope = await resolveWhoWinsScope(context, request, search)
      const { rows: figure = 'found', page = 1 } = search
      const size = WON_PROJECTS_PAGE_SIZE
      const figureIds = await withAwards(context, search, scope, (awards) =>
        loadFigureProjectIds(db, awards, figure, page * size),
      )
      if (!figureIds) throw new ProblemError('bad_input', { fields: { rows: ['ไม่มีตัวเลขนี้'] } })
      const stored = await loadWonProjects(db, figureIds.ids.slice((page - 1) * size), scope.organisationId)
      return { total: figureIds.total, page, page_size: size, results: stored.map(presentWonProject) }
    },
  )
}
