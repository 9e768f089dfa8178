import type { FastifyRequest } from 'fastify'
import { z } from 'zod/mini'
import { labelOf, PROJECT_METHOD_TYPES } from '#contract/catalogue/project.ts'
import { datedFileName } from '#contract/file-name.ts'
import {
  comparisonPairsSchema,
  comparisonProjectsSchema,
  comparisonSchema,
  likelyBiddersSchema,
} from '#contract/market/company-comparison.ts'
import { parseCompanySearch } from '#contract/market/company-params.ts'
import { moneyRangeText } from '#contract/thai/money-text.ts'
import { provinceCoded } from '#contract/thai/province.ts'
import { addMonths, bangkokToday, formatThaiDateShort } from '#contract/thai/thai-date.ts'
import { isSampleOnly } from '#server/account/demo/sample-only.ts'
import { recordExportFetched } from '#server/account/usage-log/audit-events.ts'
import type { CompanyMemory } from '#server/market/company/memory/company-memory.ts'
import { loadCompanies } from '#server/market/company/queries/find.ts'
import { groupNames } from '#server/market/company/queries/group-names.ts'
import type { Db } from '#server/platform/engine/db.ts'
import type { Actor } from '#server/platform/route/actor.ts'
import { sendAttachment } from '#server/platform/route/attachment.ts'
import { ProblemError } from '#server/platform/route/problem.ts'
import type { RouteApp, RouteContext, UsageDescription } from '#server/platform/route/route-app.ts'
import { compare, meetingsOf, resolveCompared } from './compare.ts'
import { findLikely, findPairs, loadTarget, type StoredLikely, type Target } from './compared-project-queries.ts'
import { writeComparison } from './comparison-file.ts'
import { readCell, readComparisonInput } from './comparison-input.ts'

/** A search radius over earlier purchases, and the part of it that the reason mentions. */
type Circle = { readonly isUnit: boolean; readonly factor: number }

/**
 * Companies bid alike for jobs up to three times larger or smaller (decision 0020); a factor of ten only when nothing
 * closer is known.
 */
const CIRCLES: readonly Circle[] = [
  { isUnit: true, factor: 3 },
  { isUnit: false, factor: 3 },
  { isUnit: false, factor: 10 },
]
/** Older bids do not make a company likely: three years cover three yearly contracts. */
const MONTHS = 36
const FEWEST = 3
const MOST = 10

type LikelyBidder = {
  readonly companyId: number
  readonly wins: number
  readonly bids: number
  readonly reason: string
}

/**
 * Returns companies that recently bid or won nearby, from the narrowest circle with at least three, with the reason in
 * Thai.
 */
async function likelyBidders(db: Db, target: Target, today: string): Promise<LikelyBidder[]> {
  const since = addMonths(today, -MONTHS)
  let widest: LikelyBidder[] = []
  for (const { isUnit, factor } of CIRCLES) {
    const sizes = sizesAround(target.size_satang, factor)
    const found = await findLikely(db, target, { isUnit, sizes, since, most: MOST })
    if (found.length > widest.length) {
      const where = whereText(target, isUnit, sizes)
      widest = found.map((stored) => present(stored, where))
    }
    if (widest.length >= FEWEST) break
  }
  return widest
}

function sizesAround(satang: number | null, factor: number) {
  return satang === null ? undefined : { from: Math.ceil(satang / factor), to: Math.floor(satang * factor) }
}

function present({ company_id: companyId, wins, bids, last_on: lastOn }: StoredLikely, where: string): LikelyBidder {
  const did = [bids > 0 && `เสนอราคา ${bids} ครั้ง`, wins > 0 && `ชนะ ${wins} ครั้ง`].filter((text) => text !== false)
  return { companyId, wins, bids, reason: `${did.join(' ')} ใน${where} ล่าสุด ${formatThaiDateShort(lastOn)}` }
}

function whereText(target: Target, isUnit: boolean, sizes: ReturnType<typeof sizesAround>): string {
  const type = labelOf(PROJECT_METHOD_TYPES, target.method_type)
  const province = target.project_province === null ? undefined : provinceCoded(target.project_province)?.th
  const place = isUnit
    ? target.dept_sub_name || target.dept_name
    : `${target.dept_name}${province === undefined ? '' : ` ใน${province}`}`
  const range = sizes && moneyRangeText({ min: roughBaht(sizes.from), max: roughBaht(sizes.to) })
  return `งาน${type}ของ${place}${range === undefined ? '' : ` วงเงิน ${range}${range.endsWith('ล้าน') ? 'บาท' : ' บาท'}`} ในรอบ 3 ปี`
}

/** Rounds to two digits. The bound is a multiple of another price, so more digits would suggest false precision. */
function roughBaht(satang: number): number {
  const baht = satang / 100
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, baht))) - 1)
  return Math.round(baht / unit) * unit
}

const config = { feature: 'company_comparison' } as const
const tags = ['company comparison']
/** e-GP ids have 11 digits. Other shapes are rejected before querying the database. */
const ID = /^[\w-]{1,40}$/
const MOST_PAIRS = 10

function describeComparison({ query }: FastifyRequest): UsageDescription {
  const { project_winner_name__in: names = [] } = parseCompanySearch(query as Record<string, string>).search
  return { type: 'open', description: 'เปรียบเทียบบริษัท', info: names.map((value) => ({ name: 'บริษัท', value })) }
}

/**
 * GET /company-comparison: two to five companies side by side, the rows behind its matrix, its workbook, and suggested
 * companies to start with.
 */
export function companyComparisonRoutes(
  app: RouteApp,
  context: RouteContext & { readonly memory?: CompanyMemory | undefined },
): void {
  const { db } = context
  const today = () => bangkokToday(context.now())
  // One snapshot, so that a load counted meanwhile cannot affect half of a response.
  const readSnapshot = <T>(work: (tx: Db) => Promise<T>) => db.transaction(work, { readOnly: true })

  const askerOf = async (actor: Actor) => ({
    organisationId: actor.organisationId,
    isSampleOnly: await isSampleOnly(db, actor),
    today: today(),
    memory: context.memory,
  })

  const comparisonOf = async (query: unknown, actor: Actor) => {
    const { search } = readComparisonInput(query)
    const asker = { search, ...(await askerOf(actor)) }
    const comparison = await readSnapshot(async (tx) => compare(tx, await resolveCompared(tx, search), asker))
    return { search, comparison }
  }

  app.get(
    '/company-comparison',
    {
      config: { ...config, usage: describeComparison },
      schema: { tags, summary: 'Two to five companies side by side', response: { 200: comparisonSchema } },
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
        summary: 'Projects in which two of the companies met, behind one cell of the matrix',
        response: { 200: comparisonProjectsSchema },
      },
    },
    async (request) => {
      const { search } = readComparisonInput(request.query)
      const asker = { search, ...(await askerOf(await context.actorOf(request))) }
      return readSnapshot(async (tx) => {
        const compared = await resolveCompared(tx, search)
        const cell = readCell(
          request.query,
          compared.companies.map(({ id }) => id),
        )
        return meetingsOf(tx, compared, cell, asker)
      })
    },
  )

  app.get(
    '/company-comparison/pairs',
    {
      config,
      schema: {
        tags,
        summary: "Pairs of companies that meet most in the organisation's report",
        response: { 200: comparisonPairsSchema },
      },
    },
    async (request) => {
      const actor = await context.actorOf(request)
      const { organisationId } = actor
      const pairs = await findPairs(db, { organisationId, isSampleOnly: await isSampleOnly(db, actor) }, MOST_PAIRS)
      const companies = await loadCompanies(db, [...new Set(pairs.flatMap(({ a, b }) => [a, b]))])
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
        summary: "Companies likely to bid for a project of the caller's report, and why",
        params: z.object({ projectId: z.string() }),
        response: { 200: likelyBiddersSchema },
      },
    },
    async (request) => {
      const actor = await context.actorOf(request)
      const { projectId } = request.params
      const target = ID.test(projectId) ? await loadTarget(db, projectId, actor.organisationId) : undefined
      if (!target) throw new ProblemError('not_found')
      const likely = await likelyBidders(db, { ...target, isSampleOnly: await isSampleOnly(db, actor) }, today())
      const companies = await loadCompanies(
        db,
        likely.map(({ companyId }) => companyId),
      )
      return {
        project: { project_id: target.project_id, name: target.name },
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
      // The demo cannot download files (C6).
      config: { ...config, demo: 'forbidden' },
      schema: { tags, summary: 'The comparison as a workbook' },
    },
    async (request, reply) => {
      const actor = await context.actorOf(request)
      const { search, comparison } = await comparisonOf(request.query, actor)
      const now = context.now()
      return sendAttachment(request, reply, {
        name: datedFileName('company-comparison-', now),
        format: 'xlsx',
        record: () =>
          recordExportFetched(context, request, { companies: comparison.companies.map(({ name }) => name) }),
        content: async () => {
          const words = await groupNames(db, actor.organisationId, search.keyword_group__in)
          return writeComparison(comparison, { search, groupNames: words, now })
        },
      })
    },
  )
}
