import type { FastifyRequest } from 'fastify'
import { z } from 'zod/mini'
import { companyNameOf } from '#contract/catalogue/company-address.ts'
import { datedFileName } from '#contract/file-name.ts'
import { agencySchema } from '#contract/market/agency.ts'
import { AGENCY_PARAMS, type AgencySearch, parseAgencySearch } from '#contract/market/agency-params.ts'
import { oddSignsSchema } from '#contract/market/odd-signs.ts'
import { WON_PROJECTS_A_PAGE, wonProjectsSchema } from '#contract/market/who-wins.ts'
import { recordExportFetched } from '#server/account/usage-log/audit-events.ts'
import { answerPurchases, type WinSource } from '#server/market/who-wins/answer-awards.ts'
import type { AwardMemory } from '#server/market/who-wins/memory/award-memory.ts'
import { presentWonProject } from '#server/market/who-wins/present.ts'
import { loadWonProjects } from '#server/market/who-wins/queries.ts'
import { winScopeOf } from '#server/market/who-wins/routes.ts'
import { presentSigns } from '#server/market/who-wins/signs/present-signs.ts'
import { fileRows, MOST_IN_FILE } from '#server/market/who-wins/who-wins-file.ts'
import { sendAttachment } from '#server/platform/route/attachment.ts'
import { readFlatInput } from '#server/platform/route/flat-input.ts'
import { ProblemError } from '#server/platform/route/problem.ts'
import type { RouteApp, RouteContext, UsageDescription } from '#server/platform/route/route-app.ts'
import { writeAgency } from './agency-file.ts'
import { idsOfAgencyFigure } from './agency-rows.ts'
import { findAgency } from './find-agency.ts'
import { type AgencyQuestion, presentAgency, purchasesOf } from './present-agency.ts'

const tags = ['company']
const config = { feature: 'company_compare' } as const
const params = z.object({ code: z.string() })
/** Documents the parameters in the API reference; validation is in the catalogue, whose messages are in Thai. */
const querystring = z.looseObject(
  Object.fromEntries(AGENCY_PARAMS.map(({ name }) => [name, z.optional(z.union([z.string(), z.array(z.string())]))])),
)
const MOST_COMPANIES = 500

function describeOpening({ params: asked }: FastifyRequest): UsageDescription {
  return { type: 'open', description: `เปิดดูหน่วยงาน ${companyNameOf((asked as { code: string }).code)}` }
}

type Asked = Parameters<RouteContext['actorOf']>[0] & {
  readonly params: { readonly code: string }
  readonly query: unknown
}

/**
 * GET /agencies/{code}, the projects behind its figures, and the workbook. `{code}`: an e-GP code, or the name of an
 * agency without one.
 */
export function agencyRoutes(
  app: RouteApp,
  context: RouteContext & { readonly memory?: AwardMemory | undefined },
): void {
  const { db } = context
  const source: WinSource = context

  /** Throws `bad_input` (400) as `readFlatInput` does, and `not_found` for an unknown code or name. */
  async function questionOf(request: Asked): Promise<AgencyQuestion & { readonly ignored: readonly string[] }> {
    const { search, ignored } = readFlatInput(AGENCY_PARAMS, request.query, parseAgencySearch)
    const { isDemo } = await context.actorOf(request)
    const scope = await winScopeOf(context, request, search.scope === 'watch' ? {} : { market: true })
    const agency = await findAgency(db, request.params.code)
    if (!agency) throw new ProblemError('not_found')
    return { agency, search: search as AgencySearch, scope, hasPursuits: !isDemo, ignored }
  }

  app.get(
    '/agencies/:code',
    {
      config: { ...config, usage: describeOpening },
      schema: {
        tags,
        summary: 'What one agency buys, when, from whom and how fast, and what the organisation has to do with it',
        params,
        querystring,
        response: { 200: agencySchema },
      },
    },
    async (request) => {
      const question = await questionOf(request)
      return { ...(await presentAgency(source, question)), ignored_parameters: [...question.ignored] }
    },
  )

  app.get(
    '/agencies/:code/projects',
    {
      config,
      schema: {
        tags,
        summary: 'The projects behind one figure of an agency',
        params,
        querystring,
        response: { 200: wonProjectsSchema },
      },
    },
    async (request) => {
      const question = await questionOf(request)
      const { rows = 'found', page = 1 } = question.search
      const size = WON_PROJECTS_A_PAGE
      const found = await idsOfAgencyFigure(source, question, rows, page * size)
      if (!found) throw new ProblemError('bad_input', { fields: { rows: ['ไม่มีตัวเลขนี้'] } })
      const stored = await loadWonProjects(db, found.ids.slice((page - 1) * size), question.scope.organisationId)
      return { total: found.total, page, page_size: size, results: stored.map(presentWonProject) }
    },
  )

  app.get(
    '/agencies/:code/signs',
    {
      config,
      schema: {
        tags,
        summary: 'What stands out in what an agency bought, as facts with their n and threshold',
        params,
        querystring,
        response: { 200: oddSignsSchema },
      },
    },
    async (request) => {
      const { ignored, ...question } = await questionOf(request)
      const signs = await answerPurchases(source, purchasesOf(question), question.scope, (awarded) =>
        presentSigns(db, awarded),
      )
      return { ...signs, ignored_parameters: [...ignored] }
    },
  )

  app.get(
    '/agencies/:code/file',
    {
      // The demo cannot download files (C6).
      config: { ...config, demo: 'forbidden' },
      schema: { tags, summary: 'The figures and decided projects of an agency, as a workbook', params, querystring },
    },
    async (request, reply) => {
      const question = await questionOf(request)
      const answer = await presentAgency(source, question, MOST_COMPANIES)
      const decided = (await idsOfAgencyFigure(source, question, 'decided', MOST_IN_FILE))!
      return sendAttachment(request, reply, {
        name: datedFileName('agency-', context.now()),
        format: 'xlsx',
        record: () => recordExportFetched(context, request, { list: 'agency', agency: question.agency.name }),
        content: () =>
          writeAgency(answer, fileRows(db, decided, question.scope.organisationId), {
            search: question.search,
            now: context.now(),
          }),
      })
    },
  )
}
