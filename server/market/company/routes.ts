import type { FastifyRequest } from 'fastify'
import { z } from 'zod/mini'
import { companyNameOf } from '#contract/catalogue/company-address.ts'
import {
  type CompanyDetail,
  type CompanyProjects,
  type CompanyRef,
  type CompanyTimeline,
  type CompanyWinners,
  companyDetailSchema,
  companyProjectsSchema,
  companySuggestionsSchema,
  companyTimelineSchema,
  companyWinnersSchema,
} from '#contract/market/company.ts'
import { bangkokToday } from '#contract/thai/thai-date.ts'
import { isSampleOnly } from '#server/account/demo/sample-only.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { flatQuery } from '#server/platform/route/flat-input.ts'
import { ProblemError } from '#server/platform/route/problem.ts'
import type { RouteApp, RouteContext, UsageDescription } from '#server/platform/route/route-app.ts'
import { companyQuerystring, readCompanyInput, refOf } from './company-input.ts'
import type { FactScope } from './company-scope.ts'
import { companyDetail } from './detail.ts'
import { findCompany } from './find-company.ts'
import { discountOf, presentProjects, readProjectsInput, winnerName } from './projects.ts'
import { isInSample } from './queries/find.ts'
import { loadProjects } from './queries/projects.ts'
import { suggestCompanies } from './queries/suggestions.ts'
import { loadTimeline } from './queries/timeline.ts'
import { loadWinners } from './queries/winners.ts'

async function companyWinners(db: Db, organisationId: number, today: string): Promise<CompanyWinners> {
  const { from_date, to_date, total, awards } = await loadWinners(db, organisationId, today)
  return {
    from_date,
    to_date,
    total,
    results: awards.map((award) => ({
      company: award.company && refOf(award.company),
      winner_name: award.company?.name ?? winnerName(award) ?? '',
      project_id: award.project_id,
      project_name: award.project_name,
      dept_name: award.dept_name,
      value: award.value_satang === null ? null : award.value_satang / 100,
      decided_date: award.decided_on,
      discount: discountOf(award.discount, award.is_against_budget),
      is_new: award.is_new,
    })),
  }
}

async function companyTimeline(db: Db, companyId: number, scope: FactScope): Promise<CompanyTimeline> {
  const { total, rows } = await loadTimeline(db, companyId, scope)
  return {
    total,
    results: rows.map((row) => ({
      project_id: row.project_id,
      name: row.name,
      date: row.date,
      value: row.value_satang === null ? null : row.value_satang / 100,
      method: row.method,
      is_winner: row.is_winner,
      in_report: row.in_report,
    })),
  }
}

const config = { feature: 'company_compare' } as const
const tags = ['company']
const params = z.object({ name: z.string() })
/** Longer texts cannot be a name. */
const LONGEST_TYPED = 300

type Asked = Pick<Parameters<RouteContext['actorOf']>[0], 'headers' | 'id'> & {
  readonly query: unknown
  readonly url: string
}
type Answer<T> = (request: Asked, part: string) => Promise<T>

/** Relative to this host. */
function pageAddress(url: string, page: number): string {
  const [path, query = ''] = url.split('?', 2)
  const asked = new URLSearchParams(query)
  asked.set('page', String(page))
  return `${path}?${asked}`
}

function describeOpening({ params: asked }: FastifyRequest): UsageDescription {
  return { type: 'open', description: `เปิดดูบริษัท ${companyNameOf((asked as { name: string }).name)}` }
}

/** GET /companies/{name} and the data of its page, name suggestions, and recent winners. */
export function companyRoutes(app: RouteApp, context: RouteContext): void {
  const { db } = context
  const today = () => bangkokToday(context.now())

  const scopeOf = async (request: Asked, search: FactScope['search']) => {
    const actor = await context.actorOf(request)
    return { search, organisationId: actor.organisationId, isSampleOnly: await isSampleOnly(db, actor) }
  }
  const companyOf = async (part: string, tin: string | undefined, isLimited: boolean): Promise<CompanyRef> => {
    const company = await findCompany(db, companyNameOf(part), tin)
    if (!company || (isLimited && !(await isInSample(db, company.id)))) throw new ProblemError('not_found')
    return company
  }

  const detail: Answer<CompanyDetail> = async (request, part) => {
    const { search } = readCompanyInput(request.query)
    const scope = await scopeOf(request, search)
    return companyDetail(db, await companyOf(part, search.tin, scope.isSampleOnly), scope, today())
  }
  const projects: Answer<CompanyProjects> = async (request, part) => {
    const input = readProjectsInput(request.query)
    const scope = await scopeOf(request, input.search)
    const company = await companyOf(part, input.search.tin, scope.isSampleOnly)
    const stored = await loadProjects(db, company.id, scope, { ...input, today: today() })
    return presentProjects(stored, input, (page) => pageAddress(request.url, page))
  }
  const timeline: Answer<CompanyTimeline> = async (request, part) => {
    const { search } = readCompanyInput(request.query)
    const scope = await scopeOf(request, search)
    return companyTimeline(db, (await companyOf(part, search.tin, scope.isSampleOnly)).id, scope)
  }

  app.get(
    '/companies/:name',
    {
      config: { ...config, usage: describeOpening, key: 'companies' },
      schema: {
        tags,
        summary: 'Figures of one company in a scope: what it won, from whom, at which discount, against whom',
        params,
        querystring: companyQuerystring,
        response: { 200: companyDetailSchema },
      },
    },
    (request) => detail(request, request.params.name),
  )

  app.get(
    '/companies/:name/projects',
    {
      config: { ...config, key: 'companies' },
      schema: {
        tags,
        summary: 'Projects behind one of the figures of a company',
        params,
        querystring: companyQuerystring,
        response: { 200: companyProjectsSchema },
      },
    },
    (request) => projects(request, request.params.name),
  )

  app.get(
    '/companies/:name/timeline',
    {
      config,
      schema: {
        tags,
        summary: 'Wins and bids of a company in the order of time',
        params,
        querystring: companyQuerystring,
        response: { 200: companyTimelineSchema },
      },
    },
    (request) => timeline(request, request.params.name),
  )

  app.get(
    '/companies/*',
    {
      config,
      schema: {
        tags,
        summary: 'The same for names with slashes, which some proxies decode on the way',
        params: z.object({ '*': z.string() }),
        querystring: companyQuerystring,
        response: { 200: z.union([companyDetailSchema, companyProjectsSchema, companyTimelineSchema]) },
      },
    },
    async (request): Promise<CompanyDetail | CompanyProjects | CompanyTimeline> => {
      const rest = request.params['*']
      const end = rest.slice(rest.lastIndexOf('/') + 1)
      const part = rest.slice(0, -end.length - 1)
      if (end === 'projects') return projects(request, part)
      if (end === 'timeline') return timeline(request, part)
      return detail(request, rest)
    },
  )

  app.get(
    '/company-suggestions',
    {
      config: { feature: ['company_compare', 'company_comparison'] },
      schema: {
        tags,
        summary: 'Companies whose name or tax id holds what was typed',
        querystring: z.looseObject({ q: z.optional(z.union([z.string(), z.array(z.string())])) }),
        response: { 200: companySuggestionsSchema },
      },
    },
    async (request) => {
      const { q = '' } = flatQuery(request.query)
      const isLimited = await isSampleOnly(db, await context.actorOf(request))
      return { results: await suggestCompanies(db, q.slice(0, LONGEST_TYPED), isLimited) }
    },
  )

  app.get(
    '/company-winners',
    {
      config,
      schema: {
        tags,
        summary: "Awards in the caller's report of the last seven days of data, the newest first",
        response: { 200: companyWinnersSchema },
      },
    },
    async (request) => {
      const { organisationId } = await context.actorOf(request)
      return companyWinners(db, organisationId, today())
    },
  )
}
