import { z } from 'zod/mini'
import {
  type Coverage,
  type CoverageReach,
  type CoverageSeries,
  coverageMissesSchema,
  coverageSchema,
  projectCoverageSchema,
} from '#contract/catalogue/coverage.ts'
import { extractProjectId } from '#contract/catalogue/project-id.ts'
import { addDays, getBangkokToday, parseIsoDate } from '#contract/thai/thai-date.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { runWithoutTenant } from '#server/platform/engine/tenant.ts'
import type { RouteApp, RouteContext } from '#server/platform/route/route-app.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'
import { type CoverageCalendar, loadCoverage, loadCoverageCalendar } from './build-coverage.ts'
import { listCoverageMisses } from './list-misses.ts'
import {
  findFeedAgencyCodes,
  findProjectSince,
  findQuarantineReasons,
  isFeedOn,
  listFollowedAgencies,
  listProjectAnnouncements,
  listReach,
  toQuarantineKey,
} from './queries.ts'

const CACHE_MS = 60_000
const config = {}
const tags = ['coverage']
const NO_SERIES: CoverageSeries = { agencies: 0, days: [], months: [] }

type OverallCoverage = {
  readonly calendar: CoverageCalendar
  readonly isOn: boolean
  readonly coverage: Awaited<ReturnType<typeof loadCoverage>>
  readonly reach: CoverageReach[]
}

/** The same for every organisation, so each process computes it at most once a minute. */
function createOverallCoverageReader(db: Db, now: () => Date): () => Promise<OverallCoverage> {
  let cached: { readonly until: number; readonly overall: Promise<OverallCoverage> } | undefined
  return () => {
    const at = now()
    if (cached === undefined || cached.until <= at.getTime()) {
      const overall = runWithoutTenant(async () => {
        const calendar = await loadCoverageCalendar(db, at)
        return {
          calendar,
          isOn: await isFeedOn(db),
          coverage: await loadCoverage(db, calendar),
          reach: await listReach(db, at),
        }
      })
      const entry = { until: at.getTime() + CACHE_MS, overall }
      cached = entry
      overall.catch(() => {
        if (cached === entry) cached = undefined
      })
    }
    return cached.overall
  }
}

export function coverageRoutes(app: RouteApp, context: RouteContext): void {
  const { db } = context
  const readOverall = createOverallCoverageReader(db, context.now)

  const followedCodesOf = async (actor: { readonly organisationId: number; readonly userId: number }) => {
    const followed = await listFollowedAgencies(db, actor)
    return await runWithoutTenant(() => findFeedAgencyCodes(db, followed))
  }

  app.get(
    '/coverage',
    {
      config,
      schema: {
        tags,
        summary:
          'Count the invitations of the feed by day, month and kind of agency, and how many the product had by the first and second morning',
        response: { 200: coverageSchema },
      },
    },
    async (request): Promise<Coverage> => {
      const actor = await context.actorOf(request)
      const checked_at = context.now().toISOString()
      const nothing = {
        checked_at,
        first_night: null,
        counts_since: null,
        all: NO_SERIES,
        followed: NO_SERIES,
        groups: [],
        reach: [],
      }
      if (actor.isDemo) return { state: 'demo', ...nothing }
      const codes = await followedCodesOf(actor)
      const { calendar, isOn, coverage, reach } = await readOverall()
      if (calendar.firstNight === null) return { state: 'off', ...nothing }
      const followed = await runWithoutTenant(() => loadCoverage(db, calendar, codes))
      return {
        state: isOn ? 'on' : 'off',
        checked_at: calendar.now.toISOString(),
        first_night: calendar.firstNight,
        counts_since: calendar.countsSince,
        all: coverage.series,
        followed: followed.series,
        groups: coverage.groups,
        reach,
      }
    },
  )

  app.get(
    '/coverage/misses',
    {
      config,
      schema: {
        tags,
        summary:
          'List the invitations of a day (default: yesterday) that the product did not have by the first morning after it, with the reason',
        querystring: z.object({ day: z.optional(z.string()), followed: z.optional(z.enum(['true'])) }),
        response: { 200: coverageMissesSchema },
      },
    },
    async (request) => {
      const actor = await context.actorOf(request)
      const { day = addDays(getBangkokToday(context.now()), -1), followed } = request.query
      if (parseIsoDate(day) === undefined) throw new ProblemError('bad_input', { text: 'วันที่ไม่ถูกต้อง เช่น 2026-11-23' })
      if (actor.isDemo) return { day, total: 0, items: [], unlisted: [], unknown_total: 0, unknown: [] }
      const codes = followed === undefined ? undefined : await followedCodesOf(actor)
      return await runWithoutTenant(() => listCoverageMisses(db, day, codes))
    },
  )

  app.get(
    '/coverage/projects/:id',
    {
      config,
      schema: {
        tags,
        summary: 'Get when the product first published a project, and which of its announcements arrived',
        params: z.object({ id: z.string() }),
        response: { 200: projectCoverageSchema },
      },
    },
    async (request) => {
      const actor = await context.actorOf(request)
      const id = extractProjectId(request.params.id)
      if (id === undefined) return { project_id: null, since: null, announcements: [] }
      const project = await findProjectSince(db, id)
      const rows = actor.isDemo ? [] : await runWithoutTenant(() => listProjectAnnouncements(db, id))
      const isQuarantined = project === undefined && rows.some(({ is_applied }) => is_applied)
      const details = await runWithoutTenant(() => findQuarantineReasons(db, isQuarantined ? [id] : []))
      return {
        project_id: project === undefined ? null : id,
        since: project?.since ? new Date(project.since).toISOString() : null,
        announcements: rows.map(({ is_applied, received_at, ...row }) => ({
          ...row,
          received_at: new Date(received_at).toISOString(),
          is_published: is_applied && project !== undefined,
          detail: details.get(toQuarantineKey(id, row.type)) ?? null,
        })),
      }
    },
  )
}
