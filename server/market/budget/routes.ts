import type { FastifyRequest } from 'fastify'
import { z } from 'zod/mini'
import { getAccessibleBudgetYears } from '#contract/catalogue/fiscal-year.ts'
import {
  type BudgetDetail,
  type BudgetScope,
  budgetDetailSchema,
  budgetLinkDecisionSchema,
  budgetPageSchema,
  budgetSummarySchema,
  budgetYearsSchema,
} from '#contract/market/budget.ts'
import {
  BUDGET_DEFAULT_PAGE_SIZE,
  BUDGET_PARAMS,
  type BudgetSearch,
  formatBudgetSearch,
  parseBudgetSearch,
} from '#contract/market/budget-params.ts'
import { recordAuditEvent } from '#server/account/usage-log/audit-events.ts'
import type { Db } from '#server/platform/engine/db.ts'
import type { Actor } from '#server/platform/route/actor.ts'
import { buildPageLinks, replaceSearchParams } from '#server/platform/route/page-links.ts'
import { parseQueryParamsOrThrow } from '#server/platform/route/parse-query-params.ts'
import { parseRowId } from '#server/platform/route/parse-row-id.ts'
import type { RouteApp, RouteContext, UsageDescription } from '#server/platform/route/route-app.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'
import { satangToBaht } from '#server/platform/text/satang-to-baht.ts'
import {
  addBudgetTextSearchHits,
  countBudgetItemsByYear,
  isBudgetItemInYears,
  loadBudgetItemInOtherYears,
  loadBudgetItemPage,
  loadBudgetItemsById,
  loadBudgetLinks,
} from './budget-item-queries.ts'
import { isBudgetLinkVisible, storeBudgetLinkDecision } from './budget-link-queries.ts'
import { loadBudgetMatchTime, loadBudgetSubscription, loadImportedBudgetYears } from './budget-summary-queries.ts'
import type { BudgetTextCache } from './budget-text-cache.ts'
import { stripYearlyShares } from './link-projects-to-budget-items.ts'
import { loadBudgetSummary } from './load-budget-summary.ts'
import { presentBudgetItem, presentBudgetLink } from './present-budget.ts'

type BudgetAccess = {
  readonly years: readonly number[]
  readonly start: string | null
  readonly end: string | null
}

/** Returns the fiscal years that the organisation's subscription and date limits allow (D14, C20). */
async function loadBudgetAccess(db: Db, organisationId: number): Promise<BudgetAccess> {
  const row = await loadBudgetSubscription(db, organisationId)
  if (!row) throw new ProblemError('session_invalid')
  const { start, end } = row
  return { years: getAccessibleBudgetYears(row.allowed, { start, end }), start, end }
}

/**
 * Returns the requested year, or by default the newest with data. The error for a closed year does not reveal whether
 * it has data.
 */
async function resolveYear(db: Db, { years }: BudgetAccess, requestedYear: number | undefined): Promise<number> {
  if (requestedYear !== undefined) {
    if (!years.includes(requestedYear)) throw new ProblemError('forbidden', { details: { code: 'forbidden' } })
    return requestedYear
  }
  const [newest] = years
  if (newest === undefined) throw new ProblemError('forbidden', { details: { code: 'forbidden' } })
  const loaded = new Set((await loadImportedBudgetYears(db)).map(({ fiscal_year }) => fiscal_year))
  return years.find((year) => loaded.has(year)) ?? newest
}

type BudgetInput = {
  readonly search: BudgetSearch
  readonly ignored: string[]
}

function readBudgetInput(query: unknown): BudgetInput {
  const { search, ignored } = parseQueryParamsOrThrow(BUDGET_PARAMS, query)
  return { search, ignored: [...ignored] }
}

const config = { feature: 'budget_year' } as const
const tags = ['budget']
const anyQuery = z.looseObject({})

type BudgetRequest = {
  readonly search: BudgetSearch
  readonly ignored: string[]
  readonly year: number
  readonly years: readonly number[]
  readonly scope: Omit<BudgetScope, 'n'>
}

function describeItemSearch({ query }: FastifyRequest): UsageDescription | undefined {
  const { q, year } = parseBudgetSearch(query as Record<string, string>).search
  if (q === undefined) return undefined
  return { type: 'search', description: 'ค้นหางบประมาณ', info: [{ name: `ปี ${year ?? 'ล่าสุด'}`, value: q }] }
}

export function budgetRoutes(
  app: RouteApp,
  context: RouteContext & { readonly texts?: BudgetTextCache | undefined },
): void {
  const { db, texts } = context

  async function readRequest(query: unknown, organisationId: number): Promise<BudgetRequest> {
    const { search, ignored } = readBudgetInput(query)
    const access = await loadBudgetAccess(db, organisationId)
    const year = await resolveYear(db, access, search.year)
    const loaded = await loadImportedBudgetYears(db)
    const importedYear = loaded.find(({ fiscal_year }) => fiscal_year === year)
    const isMatched = search.scope !== 'all'
    const computedAt = isMatched
      ? importedYear && (await loadBudgetMatchTime(db, organisationId, year))
      : importedYear?.loaded_at
    return {
      search,
      ignored,
      year,
      years: access.years.filter((allowedYear) => loaded.some(({ fiscal_year }) => fiscal_year === allowedYear)),
      scope: {
        fiscal_year: year,
        universe: isMatched ? 'matched' : 'all',
        n_year: importedYear?.items ?? 0,
        computed_at: computedAt ? new Date(computedAt).toISOString() : null,
        sources: importedYear?.sources ?? [],
      },
    }
  }

  app.get(
    '/budgets',
    {
      config: { ...config, usage: describeItemSearch },
      schema: {
        tags,
        summary: 'List budget items of one fiscal year, with the count and sum of all matches',
        querystring: anyQuery,
        response: { 200: budgetPageSchema },
      },
    },
    async (request) => {
      const { organisationId } = await context.actorOf(request)
      const { search, ignored, year, years, scope } = await readRequest(request.query, organisationId)
      const page = await loadBudgetItemPage(
        db,
        search,
        await addBudgetTextSearchHits(db, search, { organisationId, years: [year] }, texts),
      )
      const otherYears = years.filter((open) => open !== year)
      const number = search.page ?? 1
      const size = search.page_size ?? BUDGET_DEFAULT_PAGE_SIZE
      const linkTo = (to: number) => replaceSearchParams(request.url, formatBudgetSearch({ ...search, page: to }))
      return {
        links: buildPageLinks({ page: number, pageSize: size, total: page.total }, linkTo),
        total: page.total,
        total_amount: satangToBaht(page.total_satang),
        page: number,
        page_size: size,
        results: page.rows.map(presentBudgetItem),
        scope: { ...scope, n: page.total },
        elsewhere:
          page.total > 0 || otherYears.length === 0
            ? []
            : await countBudgetItemsByYear(
                db,
                search,
                await addBudgetTextSearchHits(db, search, { organisationId, years: otherYears }, texts),
              ),
        ignored_parameters: ignored,
      }
    },
  )

  app.get(
    '/budgets/years',
    {
      config,
      schema: {
        tags,
        summary: 'List fiscal years. Those outside the package of the caller have no figures',
        response: { 200: budgetYearsSchema },
      },
    },
    async (request) => {
      const { organisationId } = await context.actorOf(request)
      const { years: allowedYears, start, end } = await loadBudgetAccess(db, organisationId)
      const loaded = new Map((await loadImportedBudgetYears(db)).map(({ fiscal_year, items }) => [fiscal_year, items]))
      const listedYears =
        allowedYears.length === 0 ? [] : [...new Set([...allowedYears, ...loaded.keys()])].sort((a, b) => b - a)
      return {
        years: listedYears.map((fiscal_year) => {
          const is_allowed = allowedYears.includes(fiscal_year)
          return { fiscal_year, is_allowed, items: is_allowed ? (loaded.get(fiscal_year) ?? 0) : null }
        }),
        date_limits: { start, end },
      }
    },
  )

  app.get(
    '/budgets/summary',
    {
      config,
      schema: {
        tags,
        summary: 'Get figures for all budget items found: sums, breakdown, funnel, watch words, months',
        querystring: anyQuery,
        response: { 200: budgetSummarySchema },
      },
    },
    async (request) => {
      const { organisationId } = await context.actorOf(request)
      const { search, year, years, scope } = await readRequest(request.query, organisationId)
      return loadBudgetSummary(db, search, { organisationId, year, years, texts }, scope)
    },
  )

  /** Throws not_found for items of a year that the subscription does not include. */
  async function detailOf(on: Db, id: number, actor: Actor): Promise<BudgetDetail> {
    const { organisationId } = actor
    const { years } = await loadBudgetAccess(on, organisationId)
    const [item] = (await isBudgetItemInYears(on, id, years)) ? await loadBudgetItemsById(on, [id], organisationId) : []
    if (!item) throw new ProblemError('not_found')
    const links = await loadBudgetLinks(on, id, organisationId)
    const otherYears = await loadBudgetItemInOtherYears(
      on,
      { id, purchaseName: stripYearlyShares(item.description) },
      years,
    )
    return {
      item: presentBudgetItem(item),
      links: links.map(presentBudgetLink),
      other_years: otherYears.map(({ amount_satang, ...otherYear }) => ({
        ...otherYear,
        amount: satangToBaht(amount_satang),
      })),
    }
  }

  app.get(
    '/budgets/:id',
    {
      config,
      schema: {
        tags,
        summary: 'Get a budget item, projects it may have become, and the same item in other years',
        params: z.object({ id: z.string() }),
        response: { 200: budgetDetailSchema },
      },
    },
    async (request) => {
      return detailOf(db, parseRowId(request.params.id), await context.actorOf(request))
    },
  )

  app.post(
    '/budgets/:id/links/:projectId',
    {
      config: { ...config, demo: 'demo_read_only' },
      schema: {
        tags,
        summary: 'Confirm or reject that a project came from a budget item, or undo that decision',
        params: z.object({ id: z.string(), projectId: z.string() }),
        body: budgetLinkDecisionSchema,
        response: { 200: budgetDetailSchema },
      },
    },
    async (request) => {
      const actor = await context.actorOf(request)
      const { organisationId, userId } = actor
      const { projectId } = request.params
      const itemId = parseRowId(request.params.id)
      const { decision } = request.body
      const at = context.now()
      return db.transaction(async (tx) => {
        const { years } = await loadBudgetAccess(tx, organisationId)
        const link = { organisationId, itemId, projectId }
        if (!(await isBudgetItemInYears(tx, itemId, years)) || !(await isBudgetLinkVisible(tx, link)))
          throw new ProblemError('not_found')
        if (await storeBudgetLinkDecision(tx, { ...link, userId, at }, decision))
          await recordAuditEvent(tx, {
            kind: 'budget_link_decided',
            at,
            organisationId,
            userId,
            address: request.ip,
            requestId: request.id,
            detail: { item: itemId, project: projectId, decision },
          })
        return detailOf(tx, itemId, actor)
      })
    },
  )
}
