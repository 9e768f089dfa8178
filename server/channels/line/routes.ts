import { z } from 'zod/mini'
import {
  lineConnectionStateSchema,
  lineConnectLinkSchema,
  lineGroupCodeSchema,
  lineGroupsSchema,
} from '#contract/channels/line.ts'
import { notifyOwnerOfAddedAccess } from '#server/account/account-notice/notify-owner-of-added-access.ts'
import { recordAuditEvent } from '#server/account/usage-log/audit-events.ts'
import { runWithoutTenant } from '#server/platform/engine/tenant.ts'
import { parseRowId } from '#server/platform/route/parse-row-id.ts'
import { getRequestOrigin } from '#server/platform/route/request-origin.ts'
import type { RouteApp, RouteContext } from '#server/platform/route/route-app.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'
import { type ActionRateLimit, consumeActionRateLimit, formatWaitTime } from '#server/platform/route/use-counts.ts'
import {
  generateLineConnectCode,
  hashLineConnectCode,
  LINE_CONNECT_CODE_LIFETIME_MINUTES,
  LINE_CONNECT_COMMAND,
  LINE_CONNECT_GROUP_COMMAND,
} from './connect-code.ts'
import { isLineQuotaExhausted, loadLineAccountStatus } from './line-account-queries.ts'
import { listLineGroups, MAX_LINE_GROUPS, removeLineGroup, storeLineGroupConnectCode } from './line-group-queries.ts'
import { createLineIdProtector } from './line-identity.ts'
import { disconnectLineUser, loadLineConnection, storeLineConnectCode } from './queries.ts'

const CODE_LIMIT: ActionRateLimit = { action: 'line-code', maxUses: 20, windowSeconds: 60 * 60, gapSeconds: 0 }

const PAGE = '/settings?tab=notifications'
const tags = ['line']
/** Refuses the demo account: LINE messages contain report data, and everyone shares that account (C6). */
const userRoute = { feature: 'report', demo: 'forbidden' } as const
const superUserRoute = { role: 'super_user', feature: 'report', demo: 'forbidden' } as const
const toIso = (text: string) => new Date(text).toISOString()
type LineContext = RouteContext & {
  readonly isLineOn: boolean
  readonly secrets: readonly [string, ...string[]]
}

export function lineRoutes(app: RouteApp, { isLineOn, secrets, ...context }: LineContext): void {
  const { db, now, mails } = context
  const identity = createLineIdProtector(secrets)

  async function newCodeFor(userId: number): Promise<{ code: string; expiresAt: Date }> {
    if (!isLineOn) throw new ProblemError('not_found')
    const wait = await runWithoutTenant(() => consumeActionRateLimit(db, CODE_LIMIT, String(userId), now()))
    if (wait > 0)
      throw new ProblemError('too_many_requests', {
        text: `ขอรหัสบ่อยเกินไป รอ ${formatWaitTime(wait)}`,
        retryAfterSeconds: wait,
      })
    return {
      code: generateLineConnectCode(),
      expiresAt: new Date(now().getTime() + LINE_CONNECT_CODE_LIFETIME_MINUTES * 60_000),
    }
  }

  app.get(
    '/users/me/line',
    {
      config: userRoute,
      schema: {
        tags,
        summary: "Get the caller's LINE connection, without any LINE id",
        response: { 200: lineConnectionStateSchema },
      },
    },
    async (request) => {
      const { userId } = await context.actorOf(request)
      const channel = await loadLineAccountStatus(db)
      const { connectedAt, nameSealed, isWaiting } = await loadLineConnection(db, userId, now())
      const { basicId, name } = channel
      return {
        is_available: isLineOn,
        account: isLineOn && basicId !== null ? { name: name ?? 'ตามงาน', basic_id: basicId } : null,
        connection:
          connectedAt === null
            ? null
            : { name: (nameSealed && identity.open(nameSealed)) || null, connected_at: toIso(connectedAt) },
        is_waiting: isWaiting,
        is_quota_out: isLineOn && isLineQuotaExhausted(channel, now()),
      }
    },
  )

  app.post(
    '/users/me/line/connect',
    {
      config: { ...userRoute, fresh: true },
      schema: {
        tags,
        summary: 'Create a code that connects the LINE account it is sent from; works once, for ten minutes',
        response: { 200: lineConnectLinkSchema },
      },
    },
    async (request) => {
      const { userId, organisationId, sessionId } = await context.actorOf(request)
      const { code, expiresAt } = await newCodeFor(userId)
      const { basicId } = await loadLineAccountStatus(db)
      if (basicId === null)
        throw new ProblemError('unavailable', { text: 'ยังติดต่อ LINE ไม่ได้ ลองใหม่ในอีกสักครู่', retryAfterSeconds: 60 })
      const notice = { what: 'line_code_made', userId, organisationId, sessionId, at: now(), page: PAGE } as const
      await runWithoutTenant(() =>
        db.transaction(async (tx) => {
          await storeLineConnectCode(
            tx,
            { userId, organisationId },
            hashLineConnectCode(LINE_CONNECT_COMMAND, code),
            expiresAt,
          )
          await notifyOwnerOfAddedAccess(tx, mails, notice)
        }),
      )
      const text = `${LINE_CONNECT_COMMAND} ${code}`
      const address = `https://line.me/R/oaMessage/${encodeURIComponent(basicId)}/?${encodeURIComponent(text)}`
      return { code, text, address, expires_at: expiresAt.toISOString() }
    },
  )

  app.delete(
    '/users/me/line',
    {
      config: userRoute,
      schema: {
        tags,
        summary: "Disconnect the caller's LINE account; nothing more is sent to it",
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      const { userId, organisationId } = await context.actorOf(request)
      await db.transaction(async (tx) => {
        if (!(await disconnectLineUser(tx, userId))) return
        const event = {
          kind: 'line_disconnected',
          at: now(),
          userId,
          organisationId,
          ...getRequestOrigin(request),
        } as const
        await recordAuditEvent(tx, { ...event, detail: { by: 'user' } })
      })
      return reply.code(204).send(undefined)
    },
  )

  app.get(
    '/organisations/me/line-groups',
    {
      config: superUserRoute,
      schema: {
        tags,
        summary: 'List the LINE groups in which pasted project numbers get a reply',
        response: { 200: lineGroupsSchema },
      },
    },
    async (request) => {
      const groups = await listLineGroups(db, (await context.actorOf(request)).organisationId)
      return {
        is_available: isLineOn,
        groups: groups.map((group) => ({ ...group, connected_at: toIso(group.connected_at) })),
        most: MAX_LINE_GROUPS,
      }
    },
  )

  app.post(
    '/organisations/me/line-groups/code',
    {
      config: { ...superUserRoute, fresh: true },
      schema: {
        tags,
        summary: 'Create a code that connects the LINE group it is sent in; works once, for ten minutes',
        response: { 200: lineGroupCodeSchema },
      },
    },
    async (request) => {
      const { userId, organisationId, sessionId } = await context.actorOf(request)
      const { code, expiresAt } = await newCodeFor(userId)
      const notice = { what: 'line_group_code_made', userId, organisationId, sessionId, at: now(), page: PAGE } as const
      await runWithoutTenant(() =>
        db.transaction(async (tx) => {
          await storeLineGroupConnectCode(
            tx,
            { userId, organisationId },
            hashLineConnectCode(LINE_CONNECT_GROUP_COMMAND, code),
            expiresAt,
          )
          await notifyOwnerOfAddedAccess(tx, mails, notice)
        }),
      )
      return { text: `${LINE_CONNECT_GROUP_COMMAND} ${code}`, expires_at: expiresAt.toISOString() }
    },
  )

  app.delete(
    '/organisations/me/line-groups/:id',
    {
      config: superUserRoute,
      schema: {
        tags,
        summary: 'Disconnect a LINE group; messages in it no longer get a reply',
        params: z.object({ id: z.string() }),
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      const { userId, organisationId } = await context.actorOf(request)
      const id = parseRowId(request.params.id)
      await db.transaction(async (tx) => {
        if (!(await removeLineGroup(tx, organisationId, id))) throw new ProblemError('not_found')
        const event = {
          kind: 'line_group_disconnected',
          at: now(),
          userId,
          organisationId,
          ...getRequestOrigin(request),
        } as const
        await recordAuditEvent(tx, event)
      })
      return reply.code(204).send(undefined)
    },
  )
}
