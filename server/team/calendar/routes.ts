import type { FastifyRequest } from 'fastify'
import { z } from 'zod/mini'
import { splitSearchByReportTab } from '#contract/report/archived-scope.ts'
import { getBoardFilters } from '#contract/report/board-filters.ts'
import { type Calendar, calendarSchema, MAX_CALENDAR_DAYS, MAX_CALENDAR_PROJECTS } from '#contract/team/calendar.ts'
import { CALENDAR_SOURCE_PARAMS, type CalendarSourceCode } from '#contract/team/calendar-params.ts'
import { addDays, addMonths, countDaysBetween, getBangkokToday } from '#contract/thai/thai-date.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { parseQueryParamsOrThrow } from '#server/platform/route/parse-query-params.ts'
import type { RouteApp, RouteContext, UsageDescription } from '#server/platform/route/route-app.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'
import { parseReportQueryInput } from '#server/report/report-input.ts'
import type { ReportScope } from '#server/report/report-queries.ts'
import { parseStoredFilterSearch } from '#server/report/saved-filter/saved-filter-figures.ts'
import { findPreviousReportVisit } from '#server/report/visit-queries.ts'
import { compareCalendarEventsByDay, deriveCalendarEvents, presentCalendarProject } from './derive-calendar-events.ts'
import {
  type CalendarDayRange,
  type CalendarProjectSource,
  findCalendarProjects,
  findCalendarSavedFilter,
  type StoredCalendarFilter,
  type StoredCalendarProject,
} from './queries.ts'

/**
 * Resolves the requested range of days. If one bound is missing, the range is a month from the other bound; if both are
 * missing, the current month. Throws `bad_input` if the range is too long.
 */
function resolveRange(
  requested: { readonly from: string | null; readonly to: string | null } | undefined,
  today: string,
): CalendarDayRange {
  const month = `${today.slice(0, 8)}01`
  const from = requested?.from ?? (requested?.to ? addMonths(requested.to, -1) : month)
  const to = requested?.to ?? addDays(addMonths(from, 1), -1)
  if (countDaysBetween(from, to) < MAX_CALENDAR_DAYS) return { from, to }
  throw new ProblemError('bad_input', { fields: { date__range: [`ขอได้ครั้งละไม่เกิน ${MAX_CALENDAR_DAYS} วัน`] } })
}

/**
 * Resolves the calendar source, from the given saved filter if any. Throws `not_found` if the filter does not exist,
 * `bad_input` if this version can no longer read it.
 */
export async function resolveCalendarProjectSource(
  db: Db,
  userId: number,
  { of = 'followed', saved: filterId }: { readonly of?: string | undefined; readonly saved?: string | undefined },
): Promise<CalendarProjectSource> {
  if (filterId === undefined) return { kind: of as CalendarSourceCode }
  return toCalendarProjectSource(await findCalendarSavedFilter(db, userId, filterId))
}

export function toCalendarProjectSource(filter: StoredCalendarFilter | undefined): CalendarProjectSource {
  if (!filter) throw new ProblemError('not_found')
  const search = parseStoredFilterSearch(filter.filter_data)
  if (search) return { kind: 'search', search }
  throw new ProblemError('bad_input', { text: 'อ่านตัวกรองที่บันทึกนี้ไม่ได้ เปิดในรายงานแล้วบันทึกใหม่' })
}

export async function loadCalendarReportScope(
  db: Db,
  { organisationId, userId }: { readonly organisationId: number; readonly userId: number },
  now: Date,
): Promise<ReportScope> {
  return { organisationId, userId, today: getBangkokToday(now), visit: await findPreviousReportVisit(db, userId, now) }
}

const describe = ({ query }: FastifyRequest): UsageDescription => ({
  type: 'open',
  description: 'เปิดปฏิทิน',
  info: (query as Record<string, unknown>).saved === undefined ? [] : [{ name: 'ของ', value: 'ตัวกรองที่บันทึก' }],
})

export function calendarRoutes(app: RouteApp, context: RouteContext): void {
  app.get(
    '/calendar',
    {
      config: { feature: 'report', usage: describe },
      schema: {
        tags: ['calendar'],
        summary:
          'List deadlines and contract ends in a date range. Covers starred and pursued projects, a saved filter, or any report filters',
        querystring: z.looseObject({}),
        response: { 200: calendarSchema },
      },
    },
    async (request): Promise<Calendar> => {
      const { search } = parseQueryParamsOrThrow(CALENDAR_SOURCE_PARAMS, request.query)
      const sourceNames = new Set<string>(CALENDAR_SOURCE_PARAMS.map(({ name }) => name))
      const reportParams = Object.entries(request.query).filter(([name]) => !sourceNames.has(name))
      const filters = getBoardFilters(parseReportQueryInput(Object.fromEntries(reportParams)).search)
      const actor = await context.actorOf(request)
      const now = context.now()
      const range = resolveRange(search.date__range, getBangkokToday(now))
      // Report filters match projects from both the active and archived scope; a project is in only one of them.
      const sources: CalendarProjectSource[] = filters
        ? splitSearchByReportTab(filters).map((tabSearch) => ({ kind: 'search', search: tabSearch }))
        : [await resolveCalendarProjectSource(context.db, actor.userId, search)]
      const scope = await loadCalendarReportScope(context.db, actor, now)
      const byId = new Map<string, StoredCalendarProject>()
      for (const source of sources)
        for (const project of await findCalendarProjects(context.db, source, scope, range))
          byId.set(project.project_id, project)
      const projects = [...byId.values()].sort((a, b) => (a.project_id < b.project_id ? -1 : 1))
      const dated = projects
        .slice(0, MAX_CALENDAR_PROJECTS)
        .map((project) => ({ project, events: deriveCalendarEvents(project, range) }))
      return {
        ...range,
        events: dated.flatMap(({ events }) => events).sort(compareCalendarEventsByDay),
        projects: dated.filter(({ events }) => events.length > 0).map(({ project }) => presentCalendarProject(project)),
        is_cut: projects.length > MAX_CALENDAR_PROJECTS,
      }
    },
  )
}
