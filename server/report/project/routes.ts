import type { FastifyRequest } from 'fastify'
import { z } from 'zod/mini'
import { findAnnouncementType } from '#contract/catalogue/announcement-type.ts'
import { type ProjectFactSource, SOURCED_PROJECT_FACTS } from '#contract/catalogue/fact-source.ts'
import { PERSON_KEY_PREFIX, toPublicTaxId } from '#contract/catalogue/natural-person.ts'
import { COMPARABLE_PRICE_SCOPES, similarProjectPricesSchema } from '#contract/catalogue/similar-prices.ts'
import {
  type BIDDER_DATA_COVERAGES,
  type Bidder,
  linkedProjectsSchema,
  PROJECT_PREFETCH_PARAMS,
  type ProjectDetail,
  projectDetailSchema,
} from '#contract/report/project-detail.ts'
import type { ReportRow } from '#contract/report/report.ts'
import { findProvinceByName } from '#contract/thai/province.ts'
import { getBangkokToday } from '#contract/thai/thai-date.ts'
import { createDataFreshnessReader, readAgencyDataFreshness } from '#server/catalogue/intake/read-freshness.ts'
import { isPlausibleProjectId } from '#server/catalogue/is-plausible-project-id.ts'
import { DbReadOnlyError } from '#server/platform/engine/db.ts'
import type { Actor } from '#server/platform/route/actor.ts'
import type { RouteApp, RouteContext, UsageDescription } from '#server/platform/route/route-app.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'
import { satangToBaht } from '#server/platform/text/satang-to-baht.ts'
import { loadReportRow } from '#server/report/report-rows.ts'
import { redactReportRowForActor } from '#server/report/team-work-access.ts'
import { findLinkedProjects } from './find-linked-projects.ts'
import { findPossibleDuplicateProjects } from './find-possible-duplicate-projects.ts'
import { loadPurchaseHistories } from './load-purchase-history.ts'
import { loadSimilarPrices } from './load-similar-prices.ts'
import { loadPurchaseHistoryProject } from './purchase-queries.ts'
import {
  findPreviousProjectView,
  loadProjectDetail,
  recordProjectView,
  type StoredBidder,
  type StoredContract,
  type StoredProjectDetail,
} from './queries.ts'
import { type ComparedProject, loadComparedProject } from './similar-project-queries.ts'

type BidderList = { readonly bidders: Bidder[]; readonly bidder_coverage: (typeof BIDDER_DATA_COVERAGES)[number] }

/** Returns the bidders and how complete the list is (N14). If no bidders are known, returns only the winners. */
function biddersOf(detail: StoredProjectDetail): BidderList {
  const { bidders } = detail
  if (bidders.length > 0) {
    const isComplete = bidders.every(({ price_satang }) => price_satang !== null)
    return { bidders: bidders.map(presentBidder), bidder_coverage: isComplete ? 'full' : 'names' }
  }
  const winners = winnersOf(detail)
  return { bidders: winners, bidder_coverage: winners.length > 0 ? 'winner' : 'none' }
}

const presentBidder = ({ price_satang, tax_id, ...bidder }: StoredBidder): Bidder => ({
  ...bidder,
  tax_id: toPublicTaxId(tax_id),
  price: satangToBaht(price_satang),
})

function winnersOf({ contracts, winner_name, winner_satang }: StoredProjectDetail): Bidder[] {
  const contractsWithWinner = contracts.filter((contract) => contract.winner_name !== null)
  // A masked id with too few visible digits cannot identify a person, so group by name.
  const byWinner = Map.groupBy(contractsWithWinner, ({ winner_tax_id: id, winner_name: name }) =>
    id === null || id === PERSON_KEY_PREFIX ? name : id,
  )
  const winners = [...byWinner.values()].map(
    (won): Bidder => ({
      name: won[0]!.winner_name!,
      tax_id: toPublicTaxId(won[0]!.winner_tax_id),
      price: sumOf(won),
      is_winner: true,
      is_sme: null,
    }),
  )
  if (winners.length > 0) return winners.toSorted((a, b) => (a.price ?? Infinity) - (b.price ?? Infinity))
  if (winner_name === null) return []
  return [{ name: winner_name, tax_id: null, price: satangToBaht(winner_satang), is_winner: true, is_sme: null }]
}

/** Returns null if any amount is unknown, because a partial total would be misleading. */
function sumOf(contracts: readonly StoredContract[]): number | null {
  let satang = 0
  for (const { amount_satang } of contracts) {
    if (amount_satang === null) return null
    satang += amount_satang
  }
  return satang / 100
}

const isoTimestamp = (text: string) => new Date(text).toISOString()

/**
 * Returns the known facts with their source and the time since when each value is known. If a value changed after the
 * last recorded change of its source, the source is still the same, because a new source would have been recorded.
 */
function factSourcesOf(row: ReportRow, detail: StoredProjectDetail): ProjectFactSource[] {
  return [...SOURCED_PROJECT_FACTS.keys()].flatMap((fact) => {
    if (row[fact] === null) return []
    const factSource = detail.fact_sources.find((source) => source.fact === fact)
    const changed = detail.history.find(({ field }) => field === fact)
    const since = isoTimestamp(factSource?.seen_at ?? detail.first_seen_at)
    const changedAt = changed === undefined ? since : isoTimestamp(changed.seen_at)
    const page = factSource?.page == null ? {} : { page: factSource.page }
    return [
      { fact, source: factSource?.source ?? detail.source, seen_at: changedAt > since ? changedAt : since, ...page },
    ]
  })
}

function deadlineConflictOf(row: ReportRow, { document_deadline: stated }: StoredProjectDetail) {
  const value = stated?.told.value
  if (!stated || value?.kind !== 'window' || row.submission_end_date === null) return {}
  const date = value.to.slice(0, 10)
  if (date === row.submission_end_date) return {}
  return { deadline_conflict: { date, page: stated.told.page, document: stated.document } }
}

function announcementsOf({ plans, announcements }: StoredProjectDetail): ProjectDetail['announcements'] {
  const steps = [
    ...plans.map(({ plan_id, published_on, link }) => ({
      movement: `${findAnnouncementType('P0')!.th} ${plan_id}`,
      announced_date: published_on,
      link,
    })),
    ...announcements,
  ]
  return steps.map(({ link, ...step }) => (link === null ? step : { ...step, link }))
}

function presentDetail(row: ReportRow, detail: StoredProjectDetail, lastViewedAt: string | null): ProjectDetail {
  return {
    row,
    fiscal_year: detail.fiscal_year,
    contract_signed_date: detail.contract_signed_on,
    district: detail.district,
    subdistrict: detail.subdistrict,
    source: detail.source,
    first_seen_at: isoTimestamp(detail.first_seen_at),
    changed_at: isoTimestamp(detail.changed_at),
    data_time: detail.data_time && isoTimestamp(detail.data_time),
    fact_sources: factSourcesOf(row, detail),
    ...deadlineConflictOf(row, detail),
    announcements: announcementsOf(detail),
    history: detail.history.map((change) => ({ ...change, seen_at: isoTimestamp(change.seen_at) })),
    last_looked_at: lastViewedAt && isoTimestamp(lastViewedAt),
    attachments: detail.attachments.map((file) => ({ ...file, first_seen_at: isoTimestamp(file.first_seen_at) })),
    ...biddersOf(detail),
    contracts: detail.contracts.map(({ amount_satang, winner_tax_id, ...contract }) => ({
      ...contract,
      winner_tax_id: toPublicTaxId(winner_tax_id),
      amount: satangToBaht(amount_satang),
    })),
  }
}

const config = { feature: 'report' } as const
const tags = ['project']
const params = z.object({ id: z.string() })

function describeView({ params, query }: FastifyRequest): UsageDescription | undefined {
  if ((query as { ahead?: string }).ahead === PROJECT_PREFETCH_PARAMS.ahead) return undefined
  return { type: 'open', description: `เปิดดูโครงการ ${(params as { id: string }).id}` }
}

export function projectRoutes(app: RouteApp, context: RouteContext): void {
  const { db } = context

  const freshness = createDataFreshnessReader(db, context.now)

  app.get(
    '/projects/:id',
    {
      config: { ...config, usage: describeView, key: 'report' },
      schema: {
        tags,
        summary: "Get one project of the caller's report with its history, files, bidders and contracts",
        params,
        querystring: z.object({ ahead: z.optional(z.string()) }),
        response: { 200: projectDetailSchema },
      },
    },
    async (request) => {
      const actor = await context.actorOf(request)
      const { organisationId, userId, isDemo, scopes } = actor
      const { id } = request.params
      if (!isPlausibleProjectId(id)) throw new ProblemError('not_found')
      const stored = await db.transaction(
        async (tx) => {
          const row = await loadReportRow(tx, id, organisationId)
          const detail = row && (await loadProjectDetail(tx, id))
          return row && detail && { row, detail }
        },
        { readOnly: true },
      )
      if (!stored) throw new ProblemError('not_found')
      // HEAD requests, prefetches and API keys do not count as views.
      const isUnseen =
        request.method === 'HEAD' || request.query.ahead === PROJECT_PREFETCH_PARAMS.ahead || scopes !== undefined
      const loadPreviousView = isUnseen ? findPreviousProjectView : recordProjectView
      const previousViewAt = await loadPreviousView(db, userId, id, context.now()).catch((error: unknown) => {
        if (!(error instanceof DbReadOnlyError)) throw error
        return findPreviousProjectView(db, userId, id, context.now())
      })
      const presented = presentDetail(stored.row, stored.detail, previousViewAt)
      const detail = { ...presented, row: redactReportRowForActor(actor, presented.row) }
      const { dept_sub_name, dept_name, dept_province } = detail.row
      const agency = {
        names: [dept_sub_name, dept_name],
        province: dept_province === null ? null : (findProvinceByName(dept_province)?.code ?? null),
      }
      const checked = isDemo ? undefined : await readAgencyDataFreshness(db, agency, await freshness())
      return checked ? { ...detail, freshness: checked } : detail
    },
  )

  const comparedOf = async (id: string, actor: Actor): Promise<ComparedProject> => {
    const project = isPlausibleProjectId(id) ? await loadComparedProject(db, id, actor.organisationId) : undefined
    if (!project) throw new ProblemError('not_found')
    return project
  }

  app.get(
    '/projects/:id/similar-prices',
    {
      config,
      schema: {
        tags,
        summary: 'Show how far below the reference price similar decided projects were won',
        params,
        querystring: z.object({ step: z.optional(z.enum(COMPARABLE_PRICE_SCOPES)) }),
        response: { 200: similarProjectPricesSchema },
      },
    },
    async (request) => {
      const actor = await context.actorOf(request)
      return loadSimilarPrices(db, await comparedOf(request.params.id, actor), {
        organisationId: actor.organisationId,
        today: getBangkokToday(context.now()),
        step: request.query.step,
      })
    },
  )

  app.get(
    '/projects/:id/linked',
    {
      config,
      schema: {
        tags,
        summary:
          'List projects related to this one, and the yearly purchase pattern of its unit. Covers projects that may be the same work, with reasons, other runs and other years of the same purchase, and similar purchases of the unit',
        params,
        response: { 200: linkedProjectsSchema },
      },
    },
    async (request) => {
      const actor = await context.actorOf(request)
      const project = await comparedOf(request.params.id, actor)
      const { organisationId } = actor
      const results = await findLinkedProjects(db, project, organisationId)
      const twins = await findPossibleDuplicateProjects(db, project, organisationId)
      const scope = { organisationId, today: getBangkokToday(context.now()) }
      const [history] = await loadPurchaseHistories(db, await loadPurchaseHistoryProject(db, project.project_id), scope)
      return { results, twins, ...(history && { history }) }
    },
  )
}
