import type { FastifyRequest } from 'fastify'
import { z } from 'zod/mini'
import { decodeNameFromUrlPath } from '#contract/catalogue/company-name-part.ts'
import { buildDatedFileName } from '#contract/dated-file-name.ts'
import { agencySchema } from '#contract/market/agency.ts'
import { AGENCY_PARAMS, type AgencySearch, parseAgencySearch } from '#contract/market/agency-params.ts'
import { unusualAwardPatternsSchema } from '#contract/market/unusual-award-patterns.ts'
import { WON_PROJECTS_PAGE_SIZE, wonProjectsSchema } from '#contract/market/who-wins.ts'
import { recordExportDownload } from '#server/account/usage-log/audit-events.ts'
import type { AwardCache } from '#server/market/who-wins/memory/award-cache.ts'
import { presentWonProject } from '#server/market/who-wins/present-who-wins.ts'
import { loadWonProjects } from '#server/market/who-wins/queries.ts'
import { resolveWhoWinsScope } from '#server/market/who-wins/routes.ts'
import { presentUnusualAwardPatterns } from '#server/market/who-wins/signs/present-signs.ts'
import { type AwardSource, withPurchaseAwards } from '#server/market/who-wins/with-awards.ts'
import { loadWonProjectPages, MAX_WON_PROJECT_WORKBOOK_ROWS } from '#server/market/who-wins/write-who-wins-workbook.ts'
import { parseQueryParamsOrThrow } from '#server/platform/route/parse-query-params.ts'
import type { RouteApp, RouteContext, UsageDescription } from '#server/platform/route/route-app.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'
import { sendAttachment } from '#server/platform/route/send-attachment.ts'
import { canReadPursuitData } from '#server/report/team-work-access.ts'
import { findAgency } from './find-agency.ts'
import { loadAgencyFigureProjectIds } from './load-agency-figure-project-ids.ts'
import { type AgencyQuery, presentAgency, toPurchaseFilter } from './present-agency.ts'
import { writeAgencyWorkbook } from './write-agency-workbook.ts'

const tags = ['company']
const config = { feature: 'company_compare' } as const
const params = z.object({ code: z.string() })
/**
 * Only documents the parameters in the API reference. The parameter catalogue validates them, because its messages are
 * in Thai.
 */
const querystring = z.looseObject(
  Object.fromEntries(AGENCY_PARAMS.map(({ name }) => [name, z.optional(z.union([z.string(), z.array(z.string())]))])),
)
const MAX_FILE_COMPANIES = 500

function describePageView({ params }: FastifyRequest): UsageDescription {
  return { type: 'open', description: `เปิดดูหน่วยงาน ${decodeNameFromUrlPath((params as { code: string }).code)}` }
}

type AgencyRequest = Parameters<RouteContext['actorOf']>[0] & {
  readonly params: { readonly code: string }
  readonly query: unknown
}

export function agencyRoutes(
  app: RouteApp,
  context: RouteContext & { readonly memory?: AwardCache | undefined },
): void {
  const { db } = context
  const source: AwardSource = context

  async function readAgencyQuery(
    request: AgencyRequest,
  ): Promise<AgencyQuery & { readonly ignored: readonly string[] }> {
    const { search, ignored } = parseQueryParamsOrThrow(AGENCY_PARAMS, request.query, parseAgencySearch)
    const actor = await context.actorOf(request)
    const scope = await resolveWhoWinsScope(context, request, search.scope === 'watch' ? {} : { market: true })
    const agency = await findAgency(db, request.params.code)
    if (!agency) throw new ProblemError('not_found')
    return {
      agency,
      search: search as AgencySearch,
      scope,
      hasPursuits: !actor.isDemo && canReadPursuitData(actor),
      ignored,
    }
  }

  app.get(
    '/agencies/:code',
    {
      config: { ...config, usage: describePageView, key: 'companies' },
      schema: {
        tags,
        summary:
          'Get the purchases of an agency and the dealings of the organisation with it. Shows what the agency buys, when, from whom and how fast',
        params,
        querystring,
        response: { 200: agencySchema },
      },
    },
    async (request) => {
      const query = await readAgencyQuery(request)
      return { ...(await presentAgency(source, query)), ignored_parameters: [...query.ignored] }
    },
  )

  app.get(
    '/agencies/:code/projects',
    {
      config,
      schema: {
        tags,
        summary: 'List the projects behind one figure of an agency',
        params,
        querystring,
        response: { 200: wonProjectsSchema },
      },
    },
    async (request) => {
      const query = await readAgencyQuery(request)
      const { rows = 'found', page = 1 } = query.search
      const size = WON_PROJECTS_PAGE_SIZE
      const figureIds = await loadAgencyFigureProjectIds(source, query, rows, page * size)
      if (!figureIds) throw new ProblemError('bad_input', { fields: { rows: ['ไม่มีตัวเลขนี้'] } })
      const stored = await loadWonProjects(db, figureIds.ids.slice((page - 1) * size), query.scope.organisationId)
      return { total: figureIds.total, page, page_size: size, results: stored.map(presentWonProject) }
    },
  )

  app.get(
    '/agencies/:code/signs',
    {
      config,
      schema: {
        tags,
        summary: 'List notable facts about the purchases of an agency. Each has its sample size (n) and threshold',
        params,
        querystring,
        response: { 200: unusualAwardPatternsSchema },
      },
    },
    async (request) => {
      const { ignored, ...query } = await readAgencyQuery(request)
      const signs = await withPurchaseAwards(source, toPurchaseFilter(query), query.scope, (awarded) =>
        presentUnusualAwardPatterns(db, awarded),
      )
      return { ...signs, ignored_parameters: [...ignored] }
    },
  )

  app.get(
    '/agencies/:code/file',
    {
      // The demo cannot download files (C6).
      config: { ...config, demo: 'forbidden' },
      schema: {
        tags,
        summary: 'Download the figures and decided projects of an agency as a workbook',
        params,
        querystring,
      },
    },
    async (request, reply) => {
      const query = await readAgencyQuery(request)
      const figures = await presentAgency(source, query, MAX_FILE_COMPANIES)
      const decided = (await loadAgencyFigureProjectIds(source, query, 'decided', MAX_WON_PROJECT_WORKBOOK_ROWS))!
      return sendAttachment(request, reply, {
        name: buildDatedFileName('agency-', context.now()),
        format: 'xlsx',
        record: () => recordExportDownload(context, request, { list: 'agency', agency: query.agency.name }),
        content: () =>
          writeAgencyWorkbook(figures, loadWonProjectPages(db, decided, query.scope.organisationId), {
            search: query.search,
            now: context.now(),
          }),
      })
    },
  )
}
