import type { FastifyRequest } from 'fastify'
import { z } from 'zod/mini'
import { getChoiceLabel, PROCUREMENT_METHOD_TYPES } from '#contract/catalogue/project.ts'
import { buildDatedFileName } from '#contract/dated-file-name.ts'
import {
  companyComparisonPairsSchema,
  companyComparisonProjectsSchema,
  companyComparisonSchema,
  likelyBiddersSchema,
} from '#contract/market/company-comparison.ts'
import { parseCompanySearch } from '#contract/market/company-params.ts'
import { formatMoneyRange } from '#contract/thai/money-text.ts'
import { findProvinceByCode } from '#contract/thai/province.ts'
import { addMonths, formatThaiDateShort, getBangkokToday } from '#contract/thai/thai-date.ts'
import { recordExportDownload } from '#server/account/usage-log/audit-events.ts'
import { isPlausibleProjectId } from '#server/catalogue/is-plausible-project-id.ts'
import { parseCompanyInput } from '#server/market/company/company-input.ts'
import type { CompanyFactCache } from '#server/market/company/memory/company-fact-cache.ts'
import { loadCompanyRefs } from '#server/market/company/queries/find.ts'
import { loadKeywordGroupNames } from '#server/market/company/queries/group-names.ts'
import type { Db } from '#server/platform/engine/db.ts'
import type { Actor } from '#server/platform/route/actor.ts'
import type { RouteApp, RouteContext, UsageDescription } from '#server/platform/route/route-app.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'
import { sendAttachment } from '#server/platform/route/send-attachment.ts'
import { compareCompanies, findCompanyComparisonCellProjects, resolveComparedCompanies } from './compare-companies.ts'
import {
  type CompanyComparisonTargetProject,
  findFrequentCompanyPairs,
  findLikelyBidders,
  loadCompanyComparisonTarget,
  type StoredLikelyBidder,
} from './compared-project-queries.ts'
import { parseCompanyComparisonMatrixCell } from './comparison-input.ts'
import { writeCompanyComparisonWorkbook } from './write-company-comparison-workbook.ts'

type SearchRadius = { readonly isUnit: boolean; readonly factor: number }

/**
 * Search steps, tried in order. Companies bid similarly for jobs up to three times larger or smaller (decision 0020); a
 * factor of ten is used only when nothing closer is found.
 */
const SEARCH_RADII: readonly SearchRadius[] = [
  { isUnit: true, factor: 3 },
  { isUnit: false, factor: 3 },
  { isUnit: false, factor: 10 },
]
/** Older bids do not make a company a likely bidder. Three years cover three yearly contracts. */
const MAX_BID_AGE_MONTHS = 36
const MIN_LIKELY_BIDDERS = 3
const MAX_LIKELY_BIDDERS = 10

type LikelyBidder = {
  readonly companyId: number
  readonly wins: number
  readonly bids: number
  readonly reason: string
}

async function findLikelyWithReasons(
  db: Db,
  target: CompanyComparisonTargetProject,
  today: string,
): Promise<LikelyBidder[]> {
  const since = addMonths(today, -MAX_BID_AGE_MONTHS)
  let widest: LikelyBidder[] = []
  for (const { isUnit, factor } of SEARCH_RADII) {
    const sizes = sizesAround(target.size_satang, factor)
    const bidders = await findLikelyBidders(db, target, { isUnit, sizes, since, limit: MAX_LIKELY_BIDDERS })
    if (bidders.length > widest.length) {
      const scopeText = searchScopeText(target, isUnit, sizes)
      widest = bidders.map((stored) => presentLikelyBidder(stored, scopeText))
    }
    if (widest.length >= MIN_LIKELY_BIDDERS) break
  }
  return widest
}

function sizesAround(satang: number | null, factor: number) {
  return satang === null ? undefined : { from: Math.ceil(satang / factor), to: Math.floor(satang * factor) }
}

function presentLikelyBidder(
  { company_id: companyId, wins, bids, last_on: lastOn }: StoredLikelyBidder,
  scopeText: string,
): LikelyBidder {
  const activity = [bids > 0 && `เสนอราคา ${bids} ครั้ง`, wins > 0 && `ชนะ ${wins} ครั้ง`].filter((text) => text !== false)
  return { companyId, wins, bids, reason: `${activity.join(' ')} ใน${scopeText} ล่าสุด ${formatThaiDateShort(lastOn)}` }
}

function searchScopeText(
  target: CompanyComparisonTargetProject,
  isUnit: boolean,
  sizes: ReturnType<typeof sizesAround>,
): string {
  const type = getChoiceLabel(PROCUREMENT_METHOD_TYPES, target.method_type)
  const province = target.project_province === null ? undefined : findProvinceByCode(target.project_province)?.th
  const buyerText = isUnit
    ? target.dept_sub_name || target.dept_name
    : `${target.dept_name}${province === undefined ? '' : ` ใน${province}`}`
  const range = sizes && formatMoneyRange({ min: roughBaht(sizes.from), max: roughBaht(sizes.to) })
  return `งาน${type}ของ${buyerText}${range === undefined ? '' : ` วงเงิน ${range}${range.endsWith('ล้าน') ? 'บาท' : ' บาท'}`} ในรอบ 3 ปี`
}

/**
 * Rounds to two significant digits: the bound is a multiple of another price, so more digits would suggest false
 * precision.
 */
function roughBaht(satang: number): number {
  const baht = satang / 100
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, baht))) - 1)
  return Math.round(baht / unit) * unit
}

const config = { feature: 'company_comparison' } as const
const tags = ['company comparison']
const MAX_PAIRS = 10

function describeComparison({ query }: FastifyRequest): UsageDescription {
  const { project_winner_name__in: names = [] } = parseCompanySearch(query as Record<string, string>).search
  return { type: 'open', description: 'เปรียบเทียบบริษัท', info: names.map((value) => ({ name: 'บริษัท', value })) }
}

export function companyComparisonRoutes(
  app: RouteApp,
  context: RouteContext & { readonly memory?: CompanyFactCache | undefined },
): void {
  const { db } = context
  const today = () => getBangkokToday(context.now())
  const readSnapshot = <T>(work: (tx: Db) => Promise<T>) => db.transaction(work, { readOnly: true })

  const getComparisonContext = (actor: Actor) => ({
    organisationId: actor.organisationId,
    today: today(),
    memory: context.memory,
  })

  const comparisonOf = async (query: unknown, actor: Actor) => {
    const { search } = parseCompanyInput(query)
    const comparisonContext = { search, ...getComparisonContext(actor) }
    const comparison = await readSnapshot(async (tx) =>
      compareCompanies(tx, await resolveComparedCompanies(tx, search), comparisonContext),
    )
    return { search, comparison }
  }

  app.get(
    '/company-comparison',
    {
      config: { ...config, usage: describeComparison },
      schema: {
        tags,
        summary: 'Compare two to five companies side by side',
        response: { 200: companyComparisonSchema },
      },
    },
    async (request) => {
      return (await comparisonOf(request.query, await context.actorOf(request))).comparison
    },
  )

  app.get(
    '/company-comparison/projects',
    {
      config,
      schema: {
        tags,
        summary:
          'List the projects in which two of the companies competed, i.e. those behind one cell of the comparison matrix',
        response: { 200: companyComparisonProjectsSchema },
      },
    },
    async (request) => {
      const { search } = parseCompanyInput(request.query)
      const comparisonContext = { search, ...getComparisonContext(await context.actorOf(request)) }
      return readSnapshot(async (tx) => {
        const compared = await resolveComparedCompanies(tx, search)
        const cell = parseCompanyComparisonMatrixCell(
          request.query,
          compared.companies.map(({ id }) => id),
        )
        return findCompanyComparisonCellProjects(tx, compared, cell, comparisonContext)
      })
    },
  )

  app.get(
    '/company-comparison/pairs',
    {
      config,
      schema: {
        tags,
        summary: "List pairs of companies that compete most often in the organisation's report",
        response: { 200: companyComparisonPairsSchema },
      },
    },
    async (request) => {
      const actor = await context.actorOf(request)
      const { organisationId } = actor
      const pairs = await findFrequentCompanyPairs(db, organisationId, MAX_PAIRS)
      const companies = await loadCompanyRefs(db, [...new Set(pairs.flatMap(({ a, b }) => [a, b]))])
      const results = pairs.flatMap(({ a, b, met }) => {
        const [first, second] = [companies.get(a), companies.get(b)]
        return first && second ? [{ a: first, b: second, met }] : []
      })
      return { results }
    },
  )

  app.get(
    '/company-comparison/likely/:projectId',
    {
      config,
      schema: {
        tags,
        summary: "List companies likely to bid for a project of the caller's report, with reasons",
        params: z.object({ projectId: z.string() }),
        response: { 200: likelyBiddersSchema },
      },
    },
    async (request) => {
      const actor = await context.actorOf(request)
      const { projectId } = request.params
      const target = isPlausibleProjectId(projectId)
        ? await loadCompanyComparisonTarget(db, projectId, actor.organisationId)
        : undefined
      if (!target) throw new ProblemError('not_found')
      const likely = await findLikelyWithReasons(db, target, today())
      const companies = await loadCompanyRefs(
        db,
        likely.map(({ companyId }) => companyId),
      )
      return {
        project: {
          project_id: target.project_id,
          name: target.name,
          submission_end_date: target.submission_ends_on,
        },
        results: likely.flatMap(({ companyId, ...why }) => {
          const company = companies.get(companyId)
          return company ? [{ company, ...why }] : []
        }),
      }
    },
  )

  app.get(
    '/company-comparison/file',
    {
      config: { ...config, demo: 'forbidden' },
      schema: { tags, summary: 'Download the comparison as a workbook' },
    },
    async (request, reply) => {
      const actor = await context.actorOf(request)
      const { search, comparison } = await comparisonOf(request.query, actor)
      const now = context.now()
      return sendAttachment(request, reply, {
        name: buildDatedFileName('company-comparison-', now),
        format: 'xlsx',
        record: () =>
          recordExportDownload(context, request, { companies: comparison.companies.map(({ name }) => name) }),
        content: async () => {
          const words = await loadKeywordGroupNames(db, actor.organisationId, search.keyword_group__in)
          return writeCompanyComparisonWorkbook(comparison, { search, groupNames: words, now })
        },
      })
    },
  )
}
