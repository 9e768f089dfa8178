import type { FastifyRequest } from 'fastify'
import { z } from 'zod/mini'
import { decodeNameFromUrlPath } from '#contract/catalogue/company-name-part.ts'
import {
  type CompanyDetail,
  type CompanyProjects,
  type CompanyRef,
  type CompanyTimeline,
  companyDetailSchema,
  companyProjectsSchema,
  companySuggestionsSchema,
  companyTimelineSchema,
  type RecentCompanyWins,
  recentCompanyWinsSchema,
} from '#contract/market/company.ts'
import { getBangkokToday } from '#contract/thai/thai-date.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { toFlatQueryParams } from '#server/platform/route/parse-query-params.ts'
import type { RouteApp, RouteContext, UsageDescription } from '#server/platform/route/route-app.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'
import { satangToBaht } from '#server/platform/text/satang-to-baht.ts'
import { loadCompanyDetail } from './company-detail.ts'
import { companyQuerystringSchema, parseCompanyInput, toCompanyRef } from './company-input.ts'
import type { CompanyFactScope } from './company-scope.ts'
import { findCompany } from './find-company.ts'
import { createNewestAwardsCache } from './newest-awards-cache.ts'
import {
  getPublicWinnerName,
  parseCompanyProjectsInput,
  presentCompanyProjects,
  toProjectDiscount,
} from './present-projects.ts'
import { loadStoredCompanyTimeline } from './queries/load-timeline.ts'
import { loadCompanyProjects } from './queries/stored-projects.ts'
import { suggestCompanies } from './queries/suggestions.ts'
import type { StoredNewestAwards } from './queries/winners.ts'

function presentNewestAwards({ from_date, to_date, total, awards }: StoredNewestAwards): RecentCompanyWins {
  return {
    from_date,
    to_date,
    total,
    results: awards.map((award) => ({
      company: award.company && toCompanyRef(award.company),
      winner_name: award.company?.name ?? getPublicWinnerName(award) ?? '',
      project_id: award.project_id,
      project_name: award.project_name,
      dept_name: award.dept_name,
      value: satangToBaht(award.value_satang),
      decided_date: award.decided_on,
      discount: toProjectDiscount(award.discount, award.is_against_budget),
      is_new: award.is_new,
    })),
  }
}

async function loadCompanyTimeline(db: Db, companyId: number, scope: CompanyFactScope): Promise<CompanyTimeline> {
  const { total, rows } = await loadStoredCompanyTimeline(db, companyId, scope)
  return {
    total,
    results: rows.map((row) => ({
      project_id: row.project_id,
      name: row.name,
      date: row.date,
      value: satangToBaht(row.value_satang),
      method: row.method,
      is_winner: row.is_winner,
      in_report: row.in_report,
    })),
  }
}

const config = { feature: 'company_compare' } as const
const tags = ['company']
const params = z.object({ name: z.string() })
const MAX_QUERY_LENGTH = 300

type CompanyRequest = Pick<Parameters<RouteContext['actorOf']>[0], 'headers' | 'id'> & {
  readonly query: unknown
  readonly url: string
}
type CompanyHandler<T> = (request: CompanyRequest, name: string) => Promise<T>

function pageAddress(url: string, page: number): string {
  const [path, query = ''] = url.split('?', 2)
  const params = new URLSearchParams(query)
  params.set('page', String(page))
  return `${path}?${params}`
}

function describePageView({ params }: FastifyRequest): UsageDescription {
  return { type: 'open', description: `เปิดดูบริษัท ${decodeNameFromUrlPath((params as { name: string }).name)}` }
}

export function companyRoutes(app: RouteApp, context: RouteContext): void {
  const { db } = context
  const today = () => getBangkokToday(context.now())
  const loadNewestAwards = createNewestAwardsCache(db)

  const scopeOf = async (request: CompanyRequest, search: CompanyFactScope['search']) => {
    const actor = await context.actorOf(request)
    return { search, organisationId: actor.organisationId }
  }
  const companyOf = async (name: string, tin: string | undefined): Promise<CompanyRef> => {
    const company = await findCompany(db, decodeNameFromUrlPath(name), tin)
    if (!company) throw new ProblemError('not_found')
    return company
  }

  const detail: CompanyHandler<CompanyDetail> = async (request, name) => {
    const { search } = parseCompanyInput(request.query)
    const scope = await scopeOf(request, search)
    return loadCompanyDetail(db, await companyOf(name, search.tin), scope, today())
  }
  const projects: CompanyHandler<CompanyProjects> = async (request, name) => {
    const input = parseCompanyProjectsInput(request.query)
    const scope = await scopeOf(request, input.search)
    const company = await companyOf(name, input.search.tin)
    const stored = await loadCompanyProjects(db, company.id, scope, { ...input, today: today() })
    return presentCompanyProjects(stored, input, (page) => pageAddress(request.url, page))
  }
  const timeline: CompanyHandler<CompanyTimeline> = async (request, name) => {
    const { search } = parseCompanyInput(request.query)
    const scope = await scopeOf(request, search)
    return loadCompanyTimeline(db, (await companyOf(name, search.tin)).id, scope)
  }

  app.get(
    '/companies/:name',
    {
      config: { ...config, usage: describePageView, key: 'companies' },
      schema: {
        tags,
        summary:
          'Get figures of a company in a scope. Shows what it won, from whom, at what discount and against whom; `scope` is the whole market or the report of the organisation',
        params,
        querystring: companyQuerystringSchema,
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
        summary: 'List the projects behind one figure of a company',
        params,
        querystring: companyQuerystringSchema,
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
        summary: 'List wins and bids of a company in chronological order',
        params,
        querystring: companyQuerystringSchema,
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
        summary:
          'Get a company with slashes in its name, or its projects or timeline. Needed because some proxies decode these slashes on the way',
        params: z.object({ '*': z.string() }),
        querystring: companyQuerystringSchema,
        response: { 200: z.union([companyDetailSchema, companyProjectsSchema, companyTimelineSchema]) },
      },
    },
    async (request): Promise<CompanyDetail | CompanyProjects | CompanyTimeline> => {
      const path = request.params['*']
      const lastSegment = path.slice(path.lastIndexOf('/') + 1)
      const name = path.slice(0, -lastSegment.length - 1)
      if (lastSegment === 'projects') return projects(request, name)
      if (lastSegment === 'timeline') return timeline(request, name)
      return detail(request, path)
    },
  )

  app.get(
    '/company-suggestions',
    {
      config: { feature: ['company_compare', 'company_comparison'] },
      schema: {
        tags,
        summary: 'Suggest companies whose name or tax id contains the typed text',
        querystring: z.looseObject({ q: z.optional(z.union([z.string(), z.array(z.string())])) }),
        response: { 200: companySuggestionsSchema },
      },
    },
    async (request) => {
      const { q = '' } = toFlatQueryParams(request.query)
      return { results: await suggestCompanies(db, q.slice(0, MAX_QUERY_LENGTH)) }
    },
  )

  app.get(
    '/company-winners',
    {
      config,
      schema: {
        tags,
        summary: 'List awards of the last seven days of data in the report of the caller, newest first',
        response: { 200: recentCompanyWinsSchema },
      },
    },
    async (request) => {
      const { organisationId } = await context.actorOf(request)
      return presentNewestAwards(await loadNewestAwards(organisationId, today()))
    },
  )
}
