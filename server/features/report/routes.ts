import { z } from 'zod/mini'
import { reportFacetsSchema, reportIdsSchema, reportPageSchema } from '#contract/report.ts'
import { printReportSearch, REPORT_PARAMS } from '#contract/report-params.ts'
import { savedFilterCountsSchema } from '#contract/saved-filter.ts'
import { bangkokToday } from '#contract/thai-date.ts'
import { searchAddress } from '#server/route/page-links.ts'
import type { RouteApp, RouteContext } from '#server/route/route-app.ts'
import { loadFacets } from './facets.ts'
import { loadLoosest } from './loosen.ts'
import { isTabEmpty, presentPage } from './present-page.ts'
import { loadPage, type ReportScope } from './queries.ts'
import { loadIds } from './queries-ids.ts'
import { noteVisit, previousVisit } from './queries-visit.ts'
import { readReportInput } from './report-input.ts'
import { loadSavedFilterCounts } from './saved-filter-counts.ts'
import { saySearch } from './say-search.ts'

/** Names the parameters for the API's own documentation; what they accept is decided by `readReportInput`, which answers in Thai. */
const querystring = z.looseObject(
  Object.fromEntries(REPORT_PARAMS.map(({ name }) => [name, z.optional(z.union([z.string(), z.array(z.string())]))])),
)

/** GET /projects: the report of the caller's organisation. Beside it: the counts of its filters, its ids for selecting across pages, the counts of saved filters. */
export function reportRoutes(app: RouteApp, context: RouteContext): void {
  type Asked = Parameters<RouteContext['actorOf']>[0]
  const scopeOf = async (request: Asked, visit = previousVisit): Promise<ReportScope> => {
    const { organisationId, userId } = await context.actorOf(request)
    const now = context.now()
    return { organisationId, userId, today: bangkokToday(now), visit: await visit(context.db, userId, now) }
  }

  app.get(
    '/projects',
    {
      config: { feature: 'report', usage: saySearch },
      schema: {
        tags: ['report'],
        summary: "One page of the projects that match the caller's organisation, with totals and counters",
        querystring,
        response: { 200: reportPageSchema },
      },
    },
    async (request) => {
      const { search, ignored } = readReportInput(request.query)
      const scope = await scopeOf(request, noteVisit)
      const stored = await loadPage(context.db, search, scope)
      const loosest =
        stored.total === 0 && !isTabEmpty(stored) ? await loadLoosest(context.db, search, scope) : undefined
      return presentPage(stored, {
        search,
        loosest,
        ignored,
        visit: scope.visit,
        linkTo: (page) => searchAddress(request.url, printReportSearch({ ...search, page })),
      })
    },
  )

  app.get(
    '/projects/facets',
    {
      config: { feature: 'report' },
      schema: {
        tags: ['report'],
        summary: 'Counts of every filter option, each with all other filters applied',
        querystring,
        response: { 200: reportFacetsSchema },
      },
    },
    async (request) => {
      const scope = await scopeOf(request)
      const { search } = readReportInput(request.query)
      return loadFacets(context.db, search, scope)
    },
  )

  app.get(
    '/projects/ids',
    {
      config: { feature: 'report' },
      schema: {
        tags: ['report'],
        summary: 'Ids of the first 1,000 projects of a search in its order, and how many it finds',
        querystring,
        response: { 200: reportIdsSchema },
      },
    },
    async (request) => {
      const scope = await scopeOf(request)
      const { search } = readReportInput(request.query)
      return loadIds(context.db, search, scope)
    },
  )

  app.get(
    '/projects/saved-filter-counts',
    {
      config: { feature: 'report' },
      schema: {
        tags: ['report'],
        summary: "How many projects each of the caller's saved filters finds, and how many of them are new",
        response: { 200: savedFilterCountsSchema },
      },
    },
    async (request) => loadSavedFilterCounts(context.db, await scopeOf(request)),
  )
}
