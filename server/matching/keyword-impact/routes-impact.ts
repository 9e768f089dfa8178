import { LRUCache } from 'lru-cache'
import { z } from 'zod/mini'
import { KEYWORD_LIST_CODES, type KeywordListCode } from '#contract/account/organisation.ts'
import {
  excludedProjectsSchema,
  keywordPreviewSchema,
  keywordStatsSchema,
  matchExplanationSchema,
} from '#contract/matching/keyword-impact.ts'
import { exclusionExemptionRequestSchema, keywordPreviewRequestSchema } from '#contract/matching/keyword-requests.ts'
import { addDays, getBangkokToday } from '#contract/thai/thai-date.ts'
import { recordAuditEvent } from '#server/account/usage-log/audit-events.ts'
import { buildExcludedProjectsResponse } from '#server/matching/build-excluded-projects.ts'
import type { DocumentOccurrence, OrganisationMatchRules } from '#server/matching/compile-match-rules.ts'
import { MAX_PROJECTS_PER_DOCUMENT_KEYWORD } from '#server/matching/documents/document-matches.ts'
import { findKeywordInDocuments } from '#server/matching/documents/public-document-text.ts'
import { explainMatch } from '#server/matching/explain-match.ts'
import { assertNoKeywordProblems } from '#server/matching/keyword/assert-no-word-problems.ts'
import { createKeywordStatsCache } from '#server/matching/keyword-stats.ts'
import { enqueueProjectMatchJob } from '#server/matching/match-requests.ts'
import {
  addExclusionExemptions,
  type ExcludedProjectFilter,
  removeExclusionExemptions,
} from '#server/matching/queries/load-excluded-projects.ts'
import { loadOrganisationMatchRules } from '#server/matching/queries.ts'
import type { RecentProjects, RecentProjectsCache } from '#server/matching/recent-projects.ts'
import { computeProjectRuleOutcomes, type ProjectRuleOutcomes } from '#server/matching/rule-placement.ts'
import { TimeSlicer } from '#server/matching/time-slicer.ts'
import type { Db } from '#server/platform/engine/db.ts'
import type { Actor } from '#server/platform/route/actor.ts'
import type { RouteApp, RouteContext } from '#server/platform/route/route-app.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'
import { previewKeywordChange } from './preview-keyword-change.ts'
import { buildPreviewMatchRules, findPreviewProblems, type WordExpander } from './previewed-rules.ts'

type RescueChange = {
  readonly actor: Actor
  readonly projectIds: readonly string[]
  readonly rescued: boolean
  readonly at: Date
  readonly address: string
  readonly requestId: string
}

/**
 * Rescues projects from an exclusion word, or reverts a rescue. Skips projects that are already in the requested state
 * or not excluded. A rescue does not change the lists, so it is allowed at any hour (D13).
 */
async function changeRescues(
  db: Db,
  { actor, projectIds, rescued, at, address, requestId }: RescueChange,
): Promise<void> {
  const { organisationId, userId } = actor
  await db.transaction(async (tx) => {
    const projects = rescued
      ? await addExclusionExemptions(tx, { organisationId, userId, projectIds, at })
      : await removeExclusionExemptions(tx, organisationId, projectIds)
    if (projects.length === 0) return
    await enqueueProjectMatchJob(tx, organisationId, { projects }, at)
    const detail = { rescued, projects }
    await recordAuditEvent(tx, { kind: 'rescues_changed', at, organisationId, userId, address, requestId, detail })
  })
}

async function withDocuments(
  db: Db,
  rules: OrganisationMatchRules,
  ids: readonly number[],
  at: Date,
): Promise<OrganisationMatchRules> {
  const occurrences: DocumentOccurrence[] = []
  for (const { id, list, word } of rules.keywords)
    if (list === 'include' && ids.includes(id))
      for (const { projectId, page } of await findKeywordInDocuments(db, word, at, MAX_PROJECTS_PER_DOCUMENT_KEYWORD))
        occurrences.push([projectId, id, page])
  const otherOccurrences = (rules.documented ?? []).filter(([, id]) => !ids.includes(id))
  return ids.length === 0 ? rules : { ...rules, documented: [...otherOccurrences, ...occurrences] }
}

/** Maximum number of cached placements, of 120 kB each. */
const MAX_CACHED_PLACEMENTS = 200

type PlacementCache = (recent: RecentProjects, rules: OrganisationMatchRules) => Promise<ProjectRuleOutcomes>

export function createProjectRuleOutcomeCache(): PlacementCache {
  const cache = new LRUCache<number, { recent: RecentProjects; key: string; placement: Promise<ProjectRuleOutcomes> }>({
    max: MAX_CACHED_PLACEMENTS,
  })
  return async (recent, rules) => {
    const key = JSON.stringify(rules)
    const cached = cache.get(rules.id)
    if (cached?.recent === recent && cached.key === key) return cached.placement
    const from = cached?.recent === recent ? await cached.placement.catch(() => undefined) : undefined
    const placement = from
      ? computeProjectRuleOutcomes(recent, rules, new TimeSlicer(), { from })
      : buildPlacement(recent, rules)
    cache.set(rules.id, { recent, key, placement })
    placement.catch(() => cache.delete(rules.id))
    return placement
  }
}

/**
 * Computes the outcomes of the rules for all recent projects. Evaluates name words first: short AI terms require word
 * borders, which are slow to find and not needed for projects that a name word already matched.
 */
async function buildPlacement(recent: RecentProjects, rules: OrganisationMatchRules): Promise<ProjectRuleOutcomes> {
  const timeSlice = new TimeSlicer()
  const keywords = rules.keywords.filter(({ list }) => list !== 'ai_include')
  const from = await computeProjectRuleOutcomes(recent, { ...rules, keywords }, timeSlice)
  return computeProjectRuleOutcomes(recent, rules, timeSlice, { from })
}

export type KeywordImpactContext = RouteContext & {
  readonly expand: WordExpander
  readonly recentProjects: RecentProjectsCache
}

const config = { feature: 'report' } as const
const tags = ['watch list']
const PAGE_SIZE = 25
const MAX_PAGE_SIZE = 100

const hiddenQuery = z.looseObject({
  days: z.optional(z.enum(['7', '30', 'all'])),
  list: z.optional(z.enum(KEYWORD_LIST_CODES)),
  keyword: z.optional(z.string()),
  word: z.optional(z.string()),
  rescued: z.optional(z.enum(['true', 'false'])),
  page: z.optional(z.string().check(z.regex(/^[1-9]\d{0,5}$/))),
  page_size: z.optional(z.string().check(z.regex(/^[1-9]\d{0,5}$/))),
})

function ledgerSearch(query: z.output<typeof hiddenQuery>, today: string): ExcludedProjectFilter {
  const days = query.days ?? '30'
  return {
    since: days === 'all' ? null : addDays(today, 1 - Number(days)),
    list: (query.list as KeywordListCode | undefined) ?? null,
    word: query.keyword ?? query.word ?? null,
    rescued: query.rescued === 'true',
    page: Number(query.page ?? 1),
    pageSize: Math.min(MAX_PAGE_SIZE, Number(query.page_size ?? PAGE_SIZE)),
  }
}

export function keywordImpactRoutes(app: RouteApp, context: KeywordImpactContext): void {
  const { db, recentProjects } = context
  const placements = createProjectRuleOutcomeCache()
  const stats = createKeywordStatsCache()
  const rulesOf = async (organisationId: number): Promise<OrganisationMatchRules> => {
    const [rules] = await loadOrganisationMatchRules(db, organisationId)
    if (!rules) throw new ProblemError('session_invalid')
    return rules
  }

  app.post(
    '/organisations/me/keywords/preview',
    {
      config,
      schema: {
        tags,
        summary: 'Preview the effect of words on the report of the last 30 days; nothing is stored',
        body: keywordPreviewRequestSchema,
        response: { 200: keywordPreviewSchema },
      },
    },
    async (request) => {
      const { organisationId } = await context.actorOf(request)
      assertNoKeywordProblems(findPreviewProblems(request.body))
      const rules = await rulesOf(organisationId)
      const previewed = await buildPreviewMatchRules(rules, request.body, context.expand)
      const { added } = previewed
      const newRules = await withDocuments(db, previewed.after, request.body.in_documents ?? [], context.now())
      const recent = await recentProjects()
      return previewKeywordChange(db, { recent, before: await placements(recent, rules), after: newRules, added })
    },
  )

  app.get(
    '/organisations/me/keyword-stats',
    {
      config,
      schema: {
        tags,
        summary: 'Show the effect of each word over the last 30 days',
        response: { 200: keywordStatsSchema },
      },
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
        summary:
          'List projects that exclusion words remove from the report. Also lists rescued projects, which are in the report again',
        querystring: hiddenQuery,
        response: { 200: excludedProjectsSchema },
      },
    },
    async (request) => {
      const { organisationId } = await context.actorOf(request)
      const search = ledgerSearch(request.query, getBangkokToday(context.now()))
      return buildExcludedProjectsResponse(db, organisationId, search, (page) => {
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
            ? 'Include projects in the report although an exclusion word removes them'
            : 'Apply exclusion words to rescued projects again',
          body: exclusionExemptionRequestSchema,
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
        summary: 'Explain rule by rule why a project is or is not in the report',
        params: z.object({ id: z.string() }),
        response: { 200: matchExplanationSchema },
      },
    },
    async (request) => explainMatch(db, request.params.id, await context.actorOf(request)),
  )
}
