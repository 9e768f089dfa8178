import type { FastifyRequest } from 'fastify'
import { z } from 'zod/mini'
import { announcementType } from '#contract/catalogue/announcement-type.ts'
import { type FactSource, SOURCED_FACT_NAMES } from '#contract/catalogue/fact-source.ts'
import { PERSON_KEY_PREFIX, publicTaxId } from '#contract/catalogue/natural-person.ts'
import { SIMILAR_STEPS, similarPricesSchema } from '#contract/catalogue/similar-prices.ts'
import {
  AHEAD,
  type BIDDER_COVERAGES,
  type Bidder,
  linkedProjectsSchema,
  type ProjectDetail,
  projectDetailSchema,
} from '#contract/report/project-detail.ts'
import type { ReportRow } from '#contract/report/report.ts'
import { bangkokToday } from '#contract/thai/thai-date.ts'
import { isSampleOnly } from '#server/account/demo/sample-only.ts'
import { agencyFreshness, createFreshness } from '#server/catalogue/intake/freshness.ts'
import { DbReadOnly } from '#server/platform/engine/db.ts'
import type { Actor } from '#server/platform/route/actor.ts'
import { ProblemError } from '#server/platform/route/problem.ts'
import type { RouteApp, RouteContext, UsageDescription } from '#server/platform/route/route-app.ts'
import { rowFor } from '#server/report/key-view.ts'
import { loadReportRow } from '#server/report/queries.ts'
import { linkedProjects } from './linked-projects.ts'
import { purchaseHistories } from './purchase-history.ts'
import { loadHistoryOf } from './purchase-queries.ts'
import {
  loadDetail,
  previousView,
  recordView,
  type StoredBidder,
  type StoredContract,
  type StoredDetail,
} from './queries.ts'
import { similarPrices } from './similar-prices.ts'
import { type ComparedProject, loadComparedProject } from './similar-project-queries.ts'
import { twinsOf } from './twins.ts'

type Bidders = { readonly bidders: Bidder[]; readonly bidder_coverage: (typeof BIDDER_COVERAGES)[number] }

const baht = (satang: number | null) => (satang === null ? null : satang / 100)

/** Bidders and how complete the list is (N14). Without a bidder list, only the winners. */
function biddersOf(detail: StoredDetail): Bidders {
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
  tax_id: publicTaxId(tax_id),
  price: baht(price_satang),
})

/** One entry per winner with the sum of its contracts; without contracts, the announced winner. */
function winnersOf({ contracts, winner_name, winner_satang }: StoredDetail): Bidder[] {
  const named = contracts.filter((contract) => contract.winner_name !== null)
  // With too few visible digits the id cannot identify a person, so group by name.
  const byWinner = Map.groupBy(named, ({ winner_tax_id: id, winner_name: name }) =>
    id === null || id === PERSON_KEY_PREFIX ? name : id,
  )
  const winners = [...byWinner.values()].map(
    (won): Bidder => ({
      name: won[0]!.winner_name!,
      tax_id: publicTaxId(won[0]!.winner_tax_id),
      price: sumOf(won),
      is_winner: true,
      is_sme: null,
    }),
  )
  if (winners.length > 0) return winners.toSorted((a, b) => (a.price ?? Infinity) - (b.price ?? Infinity))
  if (winner_name === null) return []
  return [{ name: winner_name, tax_id: null, price: baht(winner_satang), is_winner: true, is_sme: null }]
}

/** Null if any amount is unknown: a partial sum would be misleading. */
function sumOf(contracts: readonly StoredContract[]): number | null {
  let satang = 0
  for (const { amount_satang } of contracts) {
    if (amount_satang === null) return null
    satang += amount_satang
  }
  return satang / 100
}

const moment = (text: string) => new Date(text).toISOString()

/**
 * Known facts with their source and since when the value is known. A change newer than the last change of source comes
 * from the same source, because a new source would have been recorded.
 */
function factSourcesOf(row: ReportRow, detail: StoredDetail): FactSource[] {
  return SOURCED_FACT_NAMES.flatMap((fact) => {
    if (row[fact] === null) return []
    const own = detail.fact_sources.find((one) => one.fact === fact)
    const changed = detail.history.find(({ field }) => field === fact)
    const since = moment(own?.seen_at ?? detail.first_seen_at)
    const changedAt = changed === undefined ? since : moment(changed.seen_at)
    const page = own?.page == null ? {} : { page: own.page }
    return [{ fact, source: own?.source ?? detail.source, seen_at: changedAt > since ? changedAt : since, ...page }]
  })
}

/** Reports a deadline in a document that differs from the project's; neither replaces the other. */
function deadlineConflictOf(row: ReportRow, { document_deadline: stated }: StoredDetail) {
  const value = stated?.told.value
  if (!stated || value?.kind !== 'window' || row.submission_end_date === null) return {}
  const date = value.to.slice(0, 10)
  if (date === row.submission_end_date) return {}
  return { deadline_conflict: { date, page: stated.told.page, document: stated.document } }
}

/** Plans come first. A plan has no step, and users look it up by its number. */
function announcementsOf({ plans, announcements }: StoredDetail): ProjectDetail['announcements'] {
  const steps = [
    ...plans.map(({ plan_id, published_on, link }) => ({
      movement: `${announcementType('P0')!.th} ${plan_id}`,
      announced_date: published_on,
      link,
    })),
    ...announcements,
  ]
  return steps.map(({ link, ...step }) => (link === null ? step : { ...step, link }))
}

/** Wire form: an allow-list, so that new columns never leak. */
function presentDetail(row: ReportRow, detail: StoredDetail, lastLookedAt: string | null): ProjectDetail {
  return {
    row,
    fiscal_year: detail.fiscal_year,
    contract_signed_date: detail.contract_signed_on,
    district: detail.district,
    subdistrict: detail.subdistrict,
    source: detail.source,
    first_seen_at: moment(detail.first_seen_at),
    changed_at: moment(detail.changed_at),
    data_time: detail.data_time && moment(detail.data_time),
    fact_sources: factSourcesOf(row, detail),
    ...deadlineConflictOf(row, detail),
    announcements: announcementsOf(detail),
    history: detail.history.map((change) => ({ ...change, seen_at: moment(change.seen_at) })),
    last_looked_at: lastLookedAt && moment(lastLookedAt),
    attachments: detail.attachments.map((file) => ({ ...file, first_seen_at: moment(file.first_seen_at) })),
    ...biddersOf(detail),
    contracts: detail.contracts.map(({ amount_satang, winner_tax_id, ...contract }) => ({
      ...contract,
      winner_tax_id: publicTaxId(winner_tax_id),
      amount: amount_satang === null ? null : amount_satang / 100,
    })),
  }
}

const config = { feature: 'report' } as const
const tags = ['project']
const params = z.object({ id: z.string() })
/** Rejects other ids without a query; e-GP ids have 11 digits. */
const ID = /^[\w-]{1,40}$/

/** Prefetches are not logged as views. */
function describeOpening({ params, query }: FastifyRequest): UsageDescription | undefined {
  if ((query as { ahead?: string }).ahead === AHEAD.ahead) return undefined
  return { type: 'open', description: `เปิดดูโครงการ ${(params as { id: string }).id}` }
}

/** GET /projects/{id}: one project of the caller's report, and the data its page loads later. */
export function projectRoutes(app: RouteApp, context: RouteContext): void {
  const { db } = context

  const freshness = createFreshness(db, context.now)

  app.get(
    '/projects/:id',
    {
      config: { ...config, usage: describeOpening, key: 'report' },
      schema: {
        tags,
        summary: "One project of the caller's report with its history, files, bidders and contracts",
        params,
        querystring: z.object({ ahead: z.optional(z.string()) }),
        response: { 200: projectDetailSchema },
      },
    },
    async (request) => {
      const actor = await context.actorOf(request)
      const { organisationId, userId, isDemo, scopes } = actor
      const { id } = request.params
      if (!ID.test(id)) throw new ProblemError('not_found')
      const found = await db.transaction(
        async (tx) => {
          const row = await loadReportRow(tx, id, organisationId)
          const detail = row && (await loadDetail(tx, id))
          return row && detail && { row, detail }
        },
        { readOnly: true },
      )
      if (!found) throw new ProblemError('not_found')
      // HEAD requests, prefetches and API keys do not count as views.
      const isUnseen = request.method === 'HEAD' || request.query.ahead === AHEAD.ahead || scopes !== undefined
      const look = isUnseen ? previousView : recordView
      const before = await look(db, userId, id, context.now()).catch((error: unknown) => {
        if (!(error instanceof DbReadOnly)) throw error
        return previousView(db, userId, id, context.now())
      })
      const presented = presentDetail(found.row, found.detail, before)
      const detail = { ...presented, row: rowFor(actor, presented.row) }
      const names = [detail.row.dept_sub_name, detail.row.dept_name]
      const checked = isDemo ? undefined : await agencyFreshness(db, names, await freshness())
      return checked ? { ...detail, freshness: checked } : detail
    },
  )

  const comparedOf = async (id: string, actor: Actor): Promise<ComparedProject> => {
    const project = ID.test(id) ? await loadComparedProject(db, id, actor.organisationId) : undefined
    if (!project) throw new ProblemError('not_found')
    return { ...project, isSampleOnly: await isSampleOnly(db, actor) }
  }

  app.get(
    '/projects/:id/similar-prices',
    {
      config,
      schema: {
        tags,
        summary: 'How far below the reference price decided projects that resemble this one were won',
        params,
        querystring: z.object({ step: z.optional(z.enum(SIMILAR_STEPS)) }),
        response: { 200: similarPricesSchema },
      },
    },
    async (request) => {
      const actor = await context.actorOf(request)
      return similarPrices(db, await comparedOf(request.params.id, actor), {
        organisationId: actor.organisationId,
        today: bangkokToday(context.now()),
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
          'What may be the same work with reasons, other runs of the same purchase, other years of it, what its unit bought that is much the same, and the yearly rhythm of it',
        params,
        response: { 200: linkedProjectsSchema },
      },
    },
    async (request) => {
      const actor = await context.actorOf(request)
      const project = await comparedOf(request.params.id, actor)
      const { organisationId } = actor
      const results = await linkedProjects(db, project, organisationId)
      const twins = await twinsOf(db, project, organisationId)
      const asker = { organisationId, isSampleOnly: project.isSampleOnly === true, today: bangkokToday(context.now()) }
      const [history] = await purchaseHistories(db, await loadHistoryOf(db, project.project_id), asker)
      return { results, twins, ...(history && { history }) }
    },
  )
}
