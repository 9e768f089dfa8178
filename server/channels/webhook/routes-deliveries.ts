import type { FastifyRequest } from 'fastify'
import { z } from 'zod/mini'
import {
  WEBHOOK_DELIVERY_STATES,
  type WebhookDelivery,
  webhookDeliveriesSchema,
  webhookDeliveryDetailSchema,
  webhookResendRequestSchema,
  webhookResendResponseSchema,
} from '#contract/account/webhook.ts'
import type { StoredWebhookDelivery } from '#server/channels/webhook-event/queries.ts'
import {
  computeDeliveryRetryEnd,
  enqueueWebhookDeliveries,
  writeTestWebhookEvent,
} from '#server/channels/webhook-event/write-webhook-events.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { runWithoutTenant } from '#server/platform/engine/tenant.ts'
import { getRequestOrigin } from '#server/platform/route/request-origin.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'
import { type ActionRateLimit, consumeActionRateLimit } from '#server/platform/route/use-counts.ts'
import { recordWebhookChange, requireOrganisationWebhook, type WebhookContext } from './change-webhooks.ts'
import {
  type LoggedWebhookDelivery,
  listWebhookDeliveries,
  listWebhookDeliveryAttempts,
  requeueDeadWebhookDeliveries,
  requeueWebhookDelivery,
} from './delivery-log-queries.ts'
import type { StoredWebhook } from './queries.ts'
import { renderWebhookPayload } from './render-webhook-payload.ts'

const PAGE_SIZE = 50
const MAX_RESENT = 1_000
/** Strict limit, because each call makes us send requests to a user-supplied address. */
const TEST_LIMIT: ActionRateLimit = { action: 'webhook-test', maxUses: 20, windowSeconds: 60 * 60, gapSeconds: 0 }
const RESEND_LIMIT: ActionRateLimit = { action: 'webhook-resend', maxUses: 200, windowSeconds: 60 * 60, gapSeconds: 0 }

const tags = ['webhook']
const config = { feature: 'report', role: 'super_user', demo: 'forbidden' } as const
const byId = z.object({ id: z.string() })
const byDelivery = z.object({ id: z.string(), delivery: z.string() })
const states = WEBHOOK_DELIVERY_STATES.map(({ code }) => code)
const logQuery = z.object({
  state: z.optional(z.enum(states)),
  before: z.optional(z.string().check(z.maxLength(120))),
})

const iso = (text: string) => new Date(text).toISOString()

function presentDelivery(stored: LoggedWebhookDelivery): WebhookDelivery {
  const { id, type, project_id, at, state, reason, attempts, next_at, last } = stored
  return {
    ...{ id, type, project_id, at: iso(at), state, reason, attempts, next_at: next_at && iso(next_at) },
    last: last && { at: iso(last.at), status: last.status, fault: last.fault, ms: last.ms },
  }
}

function parseCursor(text: string | undefined): { at: string; id: string } | undefined {
  if (text === undefined) return undefined
  const [at = '', id = ''] = text.split(' ')
  if (!/^[\dT:.+Z-]{10,40}$/.test(at) || Number.isNaN(Date.parse(at))) throw new ProblemError('bad_input')
  return { at, id }
}

export function webhookDeliveryRoutes(app: RouteApp, context: WebhookContext): void {
  const { db, now, mails } = context

  app.get(
    '/organisations/me/webhooks/:id/deliveries',
    {
      config,
      schema: {
        tags,
        summary: 'List deliveries of the last 30 days, 50 per page, newest first',
        params: byId,
        querystring: logQuery,
        response: { 200: webhookDeliveriesSchema },
      },
    },
    async (request) => {
      const { organisationId } = await context.actorOf(request)
      const { id: webhookId } = await requireOrganisationWebhook(db, organisationId, request.params.id)
      const { state, before } = request.query
      const page = { state, before: parseCursor(before), limit: PAGE_SIZE + 1 }
      const rows = await listWebhookDeliveries(db, { organisationId, webhookId }, page)
      const pageRows = rows.slice(0, PAGE_SIZE)
      const last = rows.length > PAGE_SIZE ? pageRows.at(-1) : undefined
      return {
        deliveries: pageRows.map(presentDelivery),
        more: last ? `${new Date(last.at).toISOString()} ${last.id}` : null,
      }
    },
  )

  app.get(
    '/organisations/me/webhooks/:id/deliveries/:delivery',
    {
      config,
      schema: {
        tags,
        summary: 'Get the payload of a delivery, and each attempt with the first bytes of its response',
        params: byDelivery,
        response: { 200: webhookDeliveryDetailSchema },
      },
    },
    async (request) => {
      const { organisationId } = await context.actorOf(request)
      const { id: webhookId } = await requireOrganisationWebhook(db, organisationId, request.params.id)
      const [delivery] = await listWebhookDeliveries(
        db,
        { organisationId, webhookId },
        { id: request.params.delivery, limit: 1 },
      )
      if (!delivery) throw new ProblemError('not_found')
      const attempts = await listWebhookDeliveryAttempts(db, organisationId, delivery.id)
      return {
        ...presentDelivery(delivery),
        body: renderWebhookPayload(delivery, mails.link),
        tries: attempts.map((attempt) => ({ ...attempt, at: iso(attempt.at) })),
      }
    },
  )

  app.post(
    '/organisations/me/webhooks/:id/test',
    {
      config,
      schema: {
        tags,
        summary:
          'Send a test event once, even to a webhook that is off or paused. The result appears in the delivery log',
        params: byId,
        response: { 200: z.object({ delivery: z.string() }) },
      },
    },
    async (request) => {
      const { webhook, organisationId } = await reserved(request, request.params.id, TEST_LIMIT)
      const testEvent = { organisationId, webhookId: webhook.id, at: now() }
      return { delivery: await runWithoutTenant(() => db.transaction((tx) => writeTestWebhookEvent(tx, testEvent))) }
    },
  )

  app.post(
    '/organisations/me/webhooks/:id/deliveries/:delivery/resend',
    {
      config,
      schema: {
        tags,
        summary:
          'Resend a delivery with the same webhook-id and three more days of retries. A waiting delivery stays unchanged',
        params: byDelivery,
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      const { webhook, organisationId } = await reserved(request, request.params.id, RESEND_LIMIT)
      const { delivery } = request.params
      await requeue(request, webhook, async (tx, of) => {
        const revived = await requeueWebhookDelivery(tx, of, delivery, {
          at: now(),
          until: computeDeliveryRetryEnd(now()),
        })
        if (revived) return [revived]
        const [waiting] = await listWebhookDeliveries(
          tx,
          { organisationId, webhookId: webhook.id },
          { id: delivery, limit: 1 },
        )
        if (!waiting) throw new ProblemError('not_found')
        if (waiting.type === 'webhook.test') throw new ProblemError('bad_input', { text: 'กด “ส่งทดสอบ” อีกครั้งแทน' })
        return []
      })
      return reply.code(204).send()
    },
  )

  app.post(
    '/organisations/me/webhooks/:id/resend',
    {
      config,
      schema: {
        tags,
        summary: 'Resend all undelivered events since a given time, 1,000 at a time',
        params: byId,
        body: webhookResendRequestSchema,
        response: { 200: webhookResendResponseSchema },
      },
    },
    async (request) => {
      const { webhook } = await reserved(request, request.params.id, RESEND_LIMIT)
      const since = new Date(request.body.since)
      const retry = { at: now(), until: computeDeliveryRetryEnd(now()), maxCount: MAX_RESENT }
      return { resent: await requeue(request, webhook, (tx, of) => requeueDeadWebhookDeliveries(tx, of, since, retry)) }
    },
  )

  async function reserved(request: FastifyRequest, id: string, limit: ActionRateLimit) {
    const { organisationId } = await context.actorOf(request)
    const webhook = await requireOrganisationWebhook(db, organisationId, id)
    const wait = await runWithoutTenant(() => consumeActionRateLimit(db, limit, String(organisationId), now()))
    if (wait > 0) throw new ProblemError('too_many_requests', { retryAfterSeconds: wait })
    return { webhook, organisationId }
  }

  type Revive = (tx: Db, of: { organisationId: number; webhookId: number }) => Promise<StoredWebhookDelivery[]>

  async function requeue(
    request: FastifyRequest,
    { id, name, is_on: isOn, paused_at }: StoredWebhook,
    revive: Revive,
  ): Promise<number> {
    if (!isOn || paused_at !== null) throw new ProblemError('bad_input', { text: 'เว็บฮุกนี้หยุดอยู่ เปิดใช้ก่อนแล้วส่งซ้ำ' })
    const { organisationId, userId } = await context.actorOf(request)
    const origin = getRequestOrigin(request)
    return await runWithoutTenant(() =>
      db.transaction(async (tx) => {
        const revived = await revive(tx, { organisationId, webhookId: id })
        await enqueueWebhookDeliveries(tx, revived, now())
        if (revived.length > 0)
          await recordWebhookChange(tx, { at: now(), userId, organisationId, ...origin }, { did: 'resend', name })
        return revived.length
      }),
    )
  }
}
