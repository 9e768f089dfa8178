import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod/mini'
import { MAX_CALENDAR_PROJECTS } from '#contract/team/calendar.ts'
import {
  type CalendarFeedFormat,
  calendarFeedsSchema,
  createdCalendarFeedSchema,
  MAX_CALENDAR_FEEDS,
  newCalendarFeedSchema,
} from '#contract/team/calendar-feed.ts'
import { CALENDAR_SOURCES } from '#contract/team/calendar-params.ts'
import { addDays, getBangkokToday } from '#contract/thai/thai-date.ts'
import { notifyOwnerOfAddedAccess } from '#server/account/account-notice/notify-owner-of-added-access.ts'
import { recordAuditEvent } from '#server/account/usage-log/audit-events.ts'
import { runAsTenant, runWithoutTenant } from '#server/platform/engine/tenant.ts'
import { parseRowId } from '#server/platform/route/parse-row-id.ts'
import { getRequestOrigin } from '#server/platform/route/request-origin.ts'
import type { RouteApp, RouteContext } from '#server/platform/route/route-app.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'
import { generateSecretToken, hashSecret } from '#server/platform/route/secret-token.ts'
import { type ActionRateLimit, consumeActionRateLimit } from '#server/platform/route/use-counts.ts'
import type { ReportEngine } from '#server/report/report-queries.ts'
import {
  findCalendarFeed,
  listCalendarFeeds,
  recordCalendarFeedFetch,
  removeCalendarFeed,
  type StoredCalendarFeed,
  storeCalendarFeed,
} from './calendar-feed-queries.ts'
import { formatFilterAtomFeed, formatFilterCsvFeed } from './filter-feed.ts'
import { formatCalendarFeed } from './format-calendar-feed.ts'
import {
  findCalendarProjects,
  findCalendarSavedFilter,
  findCalendarTeamView,
  type StoredCalendarFilter,
} from './queries.ts'
import { loadCalendarReportScope, resolveCalendarProjectSource, toCalendarProjectSource } from './routes.ts'

/** Clients poll a few times a day from several devices. The limit is needed because each response costs a search. */
const FEED_LIMIT: ActionRateLimit = { action: 'calendar-feed', maxUses: 60, windowSeconds: 60 * 60, gapSeconds: 0 }
/** Feeds cover a month back and more than a year ahead, because contracts end late. */
const DAYS_BEFORE = 31
const DAYS_AFTER = 400

const FORMATS: Readonly<Record<CalendarFeedFormat, { readonly path: string; readonly type: string }>> = {
  ics: { path: 'calendars', type: 'text/calendar' },
  atom: { path: 'filter-feeds', type: 'application/atom+xml' },
  csv: { path: 'filter-feeds', type: 'text/csv' },
}

const tags = ['calendar']
const routeConfig = { feature: 'report', demo: 'forbidden' } as const
const toIso = (text: string) => new Date(text).toISOString()

/**
 * Routes that manage a user's secret feed URLs and serve calendar and list feeds. A feed is served without a session
 * and does not reveal its owner.
 */
export function calendarFeedRoutes(app: RouteApp, context: RouteContext & { readonly reports: ReportEngine }): void {
  const { db, now, mails } = context
  const note = async (
    request: FastifyRequest,
    kind: 'calendar_feed_made' | 'calendar_feed_revoked',
    detail: Readonly<Record<string, string>> = {},
  ) => {
    const { userId, organisationId } = await context.actorOf(request)
    const origin = getRequestOrigin(request)
    await recordAuditEvent(db, { kind, at: now(), userId, organisationId, ...origin, detail })
  }

  app.get(
    '/calendar-feeds',
    {
      config: routeConfig,
      schema: {
        tags,
        summary: "List the caller's secret addresses of calendars and saved filters, without the secrets",
        response: { 200: calendarFeedsSchema },
      },
    },
    async (request) => {
      const feeds = await listCalendarFeeds(db, (await context.actorOf(request)).userId)
      return {
        feeds: feeds.map((feed) => ({
          ...feed,
          created_at: toIso(feed.created_at),
          fetched_at: feed.fetched_at && toIso(feed.fetched_at),
        })),
        most: MAX_CALENDAR_FEEDS,
      }
    },
  )

  app.post(
    '/calendar-feeds',
    {
      config: { ...routeConfig, fresh: true },
      schema: {
        tags,
        summary:
          'Create a secret address for a calendar, or for a saved filter as Atom or CSV. The address is returned only once',
        body: newCalendarFeedSchema,
        response: { 200: createdCalendarFeedSchema },
      },
    },
    async (request) => {
      const { userId, organisationId, sessionId } = await context.actorOf(request)
      const { source, filter_id: filterId, owner, format = 'ics' } = request.body
      const isFilter = source === 'filter' || source === 'view'
      if (isFilter !== (filterId !== undefined) || (source === 'view') !== (owner !== undefined))
        throw new ProblemError('bad_input')
      if (format !== 'ics' && !isFilter) throw new ProblemError('bad_input')
      const filterKey = {
        userId,
        organisationId,
        filterId: filterId ?? null,
        viewOwner: owner ?? null,
        viewId: filterId ?? null,
      }
      if (isFilter && !(await filterOf({ source, ...filterKey }))) throw new ProblemError('not_found')
      const token = generateSecretToken()
      const feed = {
        ...request.body,
        format,
        userId,
        organisationId,
        tokenHash: hashSecret(token),
        at: now(),
        most: MAX_CALENDAR_FEEDS,
      }
      const notice = { what: 'calendar_feed_made', userId, organisationId, sessionId, at: feed.at } as const
      // Run without the tenant, because tenants may not write the notification email and its link.
      const isStored = await runWithoutTenant(() =>
        db.transaction(async (tx) => {
          if (!(await storeCalendarFeed(tx, feed))) return false
          const facts = [['รูปแบบ', format.toUpperCase()]] as const
          await notifyOwnerOfAddedAccess(tx, mails, { ...notice, page: '/calendar', facts })
          return true
        }),
      )
      if (!isStored)
        throw new ProblemError('bad_input', { text: `มีลิงก์ลับได้ไม่เกิน ${MAX_CALENDAR_FEEDS} ลิงก์ ยกเลิกลิงก์ที่ไม่ใช้ก่อน` })
      await note(request, 'calendar_feed_made', { source, format })
      return { url: mails.link(`/api/v2/${FORMATS[format].path}/${token}.${format}`) }
    },
  )

  app.delete(
    '/calendar-feeds/:id',
    {
      config: routeConfig,
      schema: {
        tags,
        summary: 'Revoke a secret address; it stops working immediately',
        params: z.object({ id: z.string() }),
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      const { userId } = await context.actorOf(request)
      if (!(await removeCalendarFeed(db, userId, parseRowId(request.params.id)))) throw new ProblemError('not_found')
      await note(request, 'calendar_feed_revoked')
      return reply.code(204).send()
    },
  )

  app.get(
    '/calendars/:file',
    {
      config: { public: true },
      schema: {
        tags,
        summary: 'Get a calendar as iCalendar (RFC 5545) by its secret address; with ETag',
        params: z.object({ file: z.string() }),
      },
    },
    (request, reply) => serveFeed(request, reply, 'calendars', request.params.file),
  )

  app.get(
    '/filter-feeds/:file',
    {
      config: { public: true },
      schema: {
        tags,
        summary:
          'Get the projects of a saved filter by its secret address, with ETag. The format is Atom (RFC 4287) or CSV (RFC 4180)',
        params: z.object({ file: z.string() }),
      },
    },
    (request, reply) => serveFeed(request, reply, 'filter-feeds', request.params.file),
  )

  async function serveFeed(request: FastifyRequest, reply: FastifyReply, path: string, file: string) {
    const [token = '', ending] = file.split('.')
    const hash = hashSecret(token)
    const feed = await findCalendarFeed(db, hash)
    if (!feed || FORMATS[feed.format].path !== path || feed.format !== ending) throw new ProblemError('not_found')
    const wait = await consumeActionRateLimit(db, FEED_LIMIT, hash, now())
    if (wait > 0) throw new ProblemError('too_many_requests', { retryAfterSeconds: wait })
    await recordCalendarFeedFetch(db, feed.id, now())
    return send(request, reply, feed.format, await runAsTenant(feed, () => textOf(feed)))
  }

  async function filterOf(feed: Omit<StoredCalendarFeed, 'id' | 'format'>): Promise<StoredCalendarFilter | undefined> {
    const { source, userId, organisationId, filterId, viewOwner, viewId } = feed
    if (source === 'view') return findCalendarTeamView(db, organisationId, { owner: viewOwner ?? 0, id: viewId ?? '' })
    return source === 'filter' ? findCalendarSavedFilter(db, userId, filterId ?? '') : undefined
  }

  async function textOf(feed: StoredCalendarFeed): Promise<string> {
    const { source: kind } = feed
    const filter = await filterOf(feed)
    const isFilter = kind === 'filter' || kind === 'view'
    const source = isFilter
      ? toCalendarProjectSource(filter)
      : await resolveCalendarProjectSource(db, feed.userId, { of: kind })
    const scope = await loadCalendarReportScope(db, feed, now())
    if (feed.format !== 'ics' && source.kind === 'search') {
      if (feed.format === 'csv') return formatFilterCsvFeed(context, source.search, scope)
      const pageOf = (id: string) => mails.link(`/report/${encodeURIComponent(id)}`)
      return formatFilterAtomFeed(context, source.search, scope, { id: feed.id, name: filter?.name ?? '', pageOf })
    }
    const today = getBangkokToday(now())
    const range = { from: addDays(today, -DAYS_BEFORE), to: addDays(today, DAYS_AFTER) }
    const projects = await findCalendarProjects(db, source, scope, range)
    const name = filter?.name ?? CALENDAR_SOURCES.find(({ code }) => code === kind)?.th
    return formatCalendarFeed(`ตามงาน: ${name}`, projects.slice(0, MAX_CALENDAR_PROJECTS), range, (id) =>
      mails.link(`/report/${encodeURIComponent(id)}`),
    )
  }
}

function send(request: FastifyRequest, reply: FastifyReply, format: CalendarFeedFormat, text: string): FastifyReply {
  const etag = `"${createHash('sha256').update(text).digest('base64url')}"`
  reply.header('etag', etag).header('cache-control', 'private, no-cache')
  const knownEtags = (request.headers['if-none-match'] ?? '')
    .split(',')
    .map((value) => value.trim().replace(/^W\//, ''))
  if (knownEtags.includes(etag)) return reply.code(304).send()
  return reply
    .type(`${FORMATS[format].type}; charset=utf-8`)
    .header('content-disposition', `inline; filename="tamngan.${format}"`)
    .send(text)
}
