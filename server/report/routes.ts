import type { FastifyRequest } from 'fastify'
import { z } from 'zod/mini'
import { savedFilterCountsSchema } from '#contract/account/saved-filter.ts'
import { filterHitRateSchema } from '#contract/report/filter-hit-rate.ts'
import { getSearchFilterTexts } from '#contract/report/filter-text.ts'
import {
  ATTACHMENT_COUNTS_PREFERENCE,
  agencyOptionsSchema,
  MAX_AGENCY_TEXT_LENGTH,
  projectSuggestionsSchema,
  reportFacetsSchema,
  reportPageSchema,
  reportProjectIdsSchema,
} from '#contract/report/report.ts'
import { formatReportSearch, parseReportSearch, REPORT_PARAMS } from '#contract/report/report-params.ts'
import { getBangkokToday } from '#contract/thai/thai-date.ts'
import { createDataFreshnessReader } from '#server/catalogue/intake/read-freshness.ts'
import { hasPreferHeader } from '#server/platform/route/has-prefer-header.ts'
import { replaceSearchParams } from '#server/platform/route/page-links.ts'
import type { RouteApp, RouteContext, UsageDescription } from '#server/platform/route/route-app.ts'
import { loadFilterHitRate, loadSavedFilterCounts } from '#server/report/saved-filter/saved-filter-figures.ts'
import { parseReportQueryInput } from './report-input.ts'
import { findReportAgencies, findReportFacets, findReportProjectIds, findReportSuggestions } from './report-lists.ts'
import type { ReportEngine, ReportScope } from './report-queries.ts'
import { presentReportPage } from './report-rows.ts'
import { assertPursuitDataAccess, redactReportFacetsForActor, redactReportPageForActor } from './team-work-access.ts'
import { findPreviousReportVisit, recordReportVisit } from './visit-queries.ts'

function describeSearch({ query }: FastifyRequest): UsageDescription | undefined {
  const { search } = parseReportSearch(query as Record<string, string>)
  const words = search.page === undefined ? getSearchFilterTexts(search, []) : []
  if (words.length === 0) return undefined
  return {
    type: 'search',
    description: 'ค้นหาในรายงาน',
    info: words.map(({ label, value, negated }) => ({
      name: label || 'แท็บ',
      value: negated ? `ไม่ใช่ ${value}` : value,
    })),
  }
}

/** Names the parameters for the OpenAPI document; `parseReportQueryInput` validates them with errors in Thai. */
const querystring = z.looseObject(
  Object.fromEntries(REPORT_PARAMS.map(({ name }) => [name, z.optional(z.union([z.string(), z.array(z.string())]))])),
)

export function reportRoutes(app: RouteApp, context: RouteContext & { readonly reports: ReportEngine }): void {
  type ActorRequest = Parameters<RouteContext['actorOf']>[0]
  const { db, reports } = context
  const scopeOf = async (request: ActorRequest, findVisit = findPreviousReportVisit): Promise<ReportScope> => {
    const { organisationId, userId } = await context.actorOf(request)
    const now = context.now()
    return {
      organisationId,
      userId,
      today: getBangkokToday(now),
      visit: await findVisit(db, userId, now),
    }
  }
  const freshness = createDataFreshnessReader(db, context.now)

  app.get(
    '/projects',
    {
      config: { feature: 'report', usage: describeSearch, key: 'report' },
      schema: {
        tags: ['report'],
        summary:
          "List the projects that match the caller's organisation, page by page, with totals and counters. With `Prefer: attachments=counted` (RFC 7240) each row counts its files instead of listing them",
        querystring,
        response: { 200: reportPageSchema },
      },
    },
    async (request, reply) => {
      const { search, ignored } = parseReportQueryInput(request.query)
      const actor = await context.actorOf(request)
      assertPursuitDataAccess(actor, search)
      const scope = await scopeOf(request, recordReportVisit)
      const isCounted = hasPreferHeader(request, ATTACHMENT_COUNTS_PREFERENCE)
      if (isCounted) reply.header('preference-applied', ATTACHMENT_COUNTS_PREFERENCE)
      const { stored, filterToRelax } = await reports.page(search, scope, isCounted ? 'counted' : 'listed')
      const presented = presentReportPage(stored, {
        search,
        filterToRelax,
        ignored,
        visit: scope.visit,
        linkTo: (page) => replaceSearchParams(request.url, formatReportSearch({ ...search, page })),
      })
      const page = redactReportPageForActor(actor, presented)
      // The demo shows demo data, which has no source whose freshness could be checked.
      const checked = actor.isDemo ? undefined : await freshness()
      return checked ? { ...page, freshness: checked } : page
    },
  )

  app.get(
    '/projects/facets',
    {
      config: { feature: 'report', key: 'report' },
      schema: {
        tags: ['report'],
        summary: 'Count the projects of every filter option, each with all other filters applied',
        querystring,
        response: { 200: reportFacetsSchema },
      },
    },
    async (request) => {
      const { search } = parseReportQueryInput(request.query)
      const actor = await context.actorOf(request)
      assertPursuitDataAccess(actor, search)
      return redactReportFacetsForActor(actor, await findReportFacets(reports, search, await scopeOf(request)))
    },
  )

  app.get(
    '/projects/agencies',
    {
      config: { feature: 'report', key: 'report' },
      schema: {
        tags: ['report'],
        summary:
          'Search the agencies and purchasing units of the projects of a search, with their numbers of projects. Returns values of project_agency__in, counted with all other filters applied: the largest agencies or, with q, the agencies and units whose names contain its words',
        querystring: z.extend(querystring, { q: z.optional(z.string().check(z.maxLength(MAX_AGENCY_TEXT_LENGTH))) }),
        response: { 200: agencyOptionsSchema },
      },
    },
    async (request) => {
      const { q, ...query } = request.query
      const text = typeof q === 'string' ? q : ''
      const { search } = parseReportQueryInput(query)
      assertPursuitDataAccess(await context.actorOf(request), search)
      return findReportAgencies(reports, search, await scopeOf(request), text)
    },
  )

  app.get(
    '/projects/ids',
    {
      config: { feature: 'report' },
      schema: {
        tags: ['report'],
        summary: 'List the ids of the first 1,000 projects of a search in order, with the total',
        querystring,
        response: { 200: reportProjectIdsSchema },
      },
    },
    async (request) => {
      const scope = await scopeOf(request)
      const { search } = parseReportQueryInput(request.query)
      return findReportProjectIds(reports, search, scope)
    },
  )

  app.get(
    '/projects/suggestions',
    {
      config: { feature: 'report' },
      schema: {
        tags: ['report'],
        summary:
          'Suggest the first projects that a search finds in the report of the caller. Covers every tab; empty without a search',
        querystring: z.looseObject({ project_search__in: z.optional(z.union([z.string(), z.array(z.string())])) }),
        response: { 200: projectSuggestionsSchema },
      },
    },
    async (request) => {
      const scope = await scopeOf(request)
      const { project_search__in: expression } = parseReportQueryInput(request.query).search
      if (expression === undefined) return { results: [] }
      return { results: await findReportSuggestions(db, reports, expression, scope) }
    },
  )

  app.get(
    '/projects/saved-filter-counts',
    {
      config: { feature: 'report' },
      schema: {
        tags: ['report'],
        summary: "Count the projects that each of the caller's saved filters finds, and how many of them are new",
        response: { 200: savedFilterCountsSchema },
      },
    },
    async (request) => loadSavedFilterCounts(db, reports, await scopeOf(request)),
  )

  app.get(
    '/projects/saved-filter-recall',
    {
      config: { feature: 'report' },
      schema: {
        tags: ['report'],
        summary:
          'Measure how many starred and pursued projects the watch lists and filters find. Covers what the caller starred or the team pursued in the last twelve months; counts for the watch lists and each saved filter, and shows what excludes the others',
        response: { 200: filterHitRateSchema },
      },
    },
    async (request) => loadFilterHitRate(db, await scopeOf(request)),
  )
}
