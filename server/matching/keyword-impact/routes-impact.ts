import { LRUCache } from 'lru-cache'
import { z } from 'zod/mini'
import { KEYWORD_LISTS, type KeywordList } from '#contract/account/organisation.ts'
import { keywordStatsSchema, ledgerSchema, previewSchema, whySchema } from '#contract/matching/keyword-impact.ts'
import { previewRequestSchema, rescueSchema } from '#contract/matching/keyword-requests.ts'
import { addDays, bangkokToday } from '#contract/thai/thai-date.ts'
import { recordAuditEvent } from '#server/account/usage-log/audit-events.ts'
import { MOST_PROJECTS } from '#server/matching/documents/document-matches.ts'
import { findWord } from '#server/matching/documents/public-pages.ts'
import { refuseWords } from '#server/matching/keyword/refuse-words.ts'
import { createKnownStats } from '#server/matching/keyword-stats.ts'
import { ledgerOf } from '#server/matching/ledger.ts'
import { requestMatching } from '#server/matching/match-requests.ts'
import { type Placement, placementUnder } from '#server/matching/placement.ts'
import { addRescues, type LedgerSearch, removeRescues } from '#server/matching/queries/ledger.ts'
import { loadRules } from '#server/matching/queries.ts'
import type { RecentProjects, RecentProjectsCache } from '#server/matching/recent-projects.ts'
import type { DocumentPlace, OrganisationRules } from '#server/matching/rules.ts'
import { TimeSlice } from '#server/matching/time-slice.ts'
import { whyOf } from '#server/matching/why.ts'
import type { Db } from '#server/platform/engine/db.ts'
import type { Actor } from '#server/platform/route/actor.ts'
import { ProblemError } from '#server/platform/route/problem.ts'
import type { RouteApp, RouteContext } from '#server/platform/route/route-app.ts'
import { previewChange } from './preview.ts'
import { type ExpandWord, previewedRules, previewProblems } from './previewed-rules.ts'

type Rescue = {
  readonly actor: Actor
  readonly projectIds: readonly string[]
  readonly rescued: boolean
  readonly at: Date
  readonly address: string
  readonly requestId: string
}

/**
 * Includes projects despite an exclusion word, or revokes that. Projects already in that state or not excluded are
 * unchanged. Not a list change, so it is allowed at any hour (D13).
 */
async function changeRescues(db: Db, { actor, projectIds, rescued, at, address, requestId }: Rescue): Promise<void> {
  const { organisationId, userId } = actor
  await db.transaction(async (tx) => {
    const projects = rescued
      ? await addRescues(tx, { organisationId, userId, projectIds, at })
      : await removeRescues(tx, organisationId, projectIds)
    if (projects.length === 0) return
    await requestMatching(tx, organisationId, { projects }, at)
    const detail = { rescued, projects }
    await recordAuditEvent(tx, { kind: 'rescues_changed', at, organisationId, userId, address, requestId, detail })
  })
}

async function withDocuments(
  db: Db,
  rules: OrganisationRules,
  ids: readonly number[],
  at: Date,
): Promise<OrganisationRules> {
  const places: DocumentPlace[] = []
  for (const { id, list, word } of rules.keywords)
    if (list === 'include' && ids.includes(id))
      for (const { projectId, page } of await findWord(db, word, at, MOST_PROJECTS)) places.push([projectId, id, page])
  const known = (rules.documented ?? []).filter(([, id]) => !ids.includes(id))
  return ids.length === 0 ? rules : { ...rules, documented: [...known, ...places] }
}

/** Organisations whose placement is cached: 120 kB each. */
const MOST = 200

type KnownPlacements = (recent: RecentProjects, rules: OrganisationRules) => Promise<Placement>

export function createKnownPlacements(): KnownPlacements {
  const known = new LRUCache<number, { recent: RecentProjects; key: string; placement: Promise<Placement> }>({
    max: MOST,
  })
  return async (recent, rules) => {
    const key = JSON.stringify(rules)
    const last = known.get(rules.id)
    if (last?.recent === recent && last.key === key) return last.placement
    const from = last?.recent === recent ? await last.placement.catch(() => undefined) : undefined
    const placement = from
      ? placementUnder(recent, rules, new TimeSlice(), { from })
      : placementFromNothing(recent, rules)
    known.set(rules.id, { recent, key, placement })
    placement.catch(() => known.delete(rules.id))
    return placement
  }
}

/**
 * Name words first: short AI terms require word borders, which are slow to find and unnecessary where a name word
 * already matched.
 */
async function placementFromNothing(recent: RecentProjects, rules: OrganisationRules): Promise<Placement> {
  const timeSlice = new TimeSlice()
  const keywords = rules.keywords.filter(({ list }) => list !== 'ai_include')
  const from = await placementUnder(recent, { ...rules, keywords }, timeSlice)
  return placementUnder(recent, rules, timeSlice, { from })
}

export type ImpactContext = RouteContext & {
  /** Shared with the watch lists, so that both expand alike. */
  readonly expand: ExpandWord
  readonly recentProjects: RecentProjectsCache
}

const config = { feature: 'report' } as const
const tags = ['watch list']
const PAGE_SIZE = 25
const MOST_ROWS = 100

const hiddenQuery = z.looseObject({
  days: z.optional(z.enum(['7', '30', 'all'])),
  list: z.optional(z.enum(KEYWORD_LISTS)),
  keyword: z.optional(z.string()),
  word: z.optional(z.string()),
  rescued: z.optional(z.enum(['true', 'false'])),
  page: z.optional(z.string().check(z.regex(/^[1-9]\d{0,5}$/))),
  page_size: z.optional(z.string().check(z.regex(/^[1-9]\d{0,5}$/))),
})

function ledgerSearch(query: z.output<typeof hiddenQuery>, today: string): LedgerSearch {
  const days = query.days ?? '30'
  return {
    since: days === 'all' ? null : addDays(today, 1 - Number(days)),
    list: (query.list as KeywordList | undefined) ?? null,
    word: query.keyword ?? query.word ?? null,
    rescued: query.rescued === 'true',
    page: Number(query.page ?? 1),
    pageSize: Math.min(MOST_ROWS, Number(query.page_size ?? PAGE_SIZE)),
  }
}

export function impactRoutes(app: RouteApp, context: ImpactContext): void {
  const { db, recentProjects } = context
  const placements = createKnownPlacements()
  const stats = createKnownStats()
  const rulesOf = async (organisationId: number): Promise<OrganisationRules> => {
    const [rules] = await loadRules(db, organisationId)
    if (!rules) throw new ProblemError('session_invalid')
    return rules
  }

  app.post(
    '/organisations/me/keywords/preview',
    {
      config,
      schema: {
        tags,
        summary: 'What words would do to the report of the last 30 days; nothing is stored',
        body: previewRequestSchema,
        response: { 200: previewSchema },
      },
    },
    async (request) => {
      const { organisationId } = await context.actorOf(request)
      refuseWords(previewProblems(request.body))
      const rules = await rulesOf(organisationId)
      const previewed = await previewedRules(rules, request.body, context.expand)
      const { added } = previewed
      const after = await withDocuments(db, previewed.after, request.body.in_documents ?? [], context.now())
      const recent = await recentProjects()
      return previewChange(db, { recent, before: await placements(recent, rules), after, added })
    },
  )

  app.get(
    '/organisations/me/keyword-stats',
    {
      config,
      schema: { tags, summary: 'What each word did in the last 30 days', response: { 200: keywordStatsSchema } },
    },
    async (request) => {
      const rules = await rulesOf((await context.actorOf(request)).organisationId)
      const recent = await recentProjects()
      return stats(recent, await placements(recent, rules))
    },
  )

  app.get(
    '/organisations/me/hidden',
    {
      config,
      schema: {
        tags,
        summary: 'What exclusion words keep out of the report, and what was let in again',
        querystring: hiddenQuery,
        response: { 200: ledgerSchema },
      },
    },
    async (request) => {
      const { organisationId } = await context.actorOf(request)
      const search = ledgerSearch(request.query, bangkokToday(context.now()))
      return ledgerOf(db, organisationId, search, (page) => {
        const query = new URLSearchParams({ ...(request.query as Record<string, string>), page: String(page) })
        return `${request.url.split('?', 1)[0]}?${query}`
      })
    },
  )

  for (const rescued of [true, false]) {
    app.post(
      `/organisations/me/hidden/${rescued ? 'rescue' : 'unrescue'}`,
      {
        config: { ...config, demo: 'demo_read_only' },
        schema: {
          tags,
          summary: rescued
            ? 'Let projects into the report although an exclusion word keeps them out'
            : 'Leave rescued projects to the exclusion words again',
          body: rescueSchema,
          response: { 204: z.undefined() },
        },
      },
      async (request, reply) => {
        const actor = await context.actorOf(request)
        await changeRescues(db, {
          actor,
          projectIds: request.body.project_ids,
          rescued,
          at: context.now(),
          address: request.ip,
          requestId: request.id,
        })
        return reply.code(204).send()
      },
    )
  }

  app.get(
    '/projects/:id/why',
    {
      config,
      schema: {
        tags,
        summary: 'Rule by rule, why a project is or is not in the report',
        params: z.object({ id: z.string() }),
        response: { 200: whySchema },
      },
    },
    async (request) => whyOf(db, request.params.id, await context.actorOf(request)),
  )
}
