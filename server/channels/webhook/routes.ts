import { z } from 'zod/mini'
import {
  MOST_WEBHOOKS,
  madeWebhookSchema,
  newWebhookSchema,
  webhookPatchSchema,
  webhooksSchema,
} from '#contract/account/webhook.ts'
import { originOf } from '#server/platform/route/origin.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import {
  deleteWebhook,
  makeWebhook,
  patchWebhook,
  presentWebhook,
  replaceSecret,
  type WebhookContext,
} from './change-webhooks.ts'
import { listViews, listWebhooks } from './queries.ts'
import { deliveryRoutes } from './routes-deliveries.ts'

const tags = ['webhook']
const config = { feature: 'report', role: 'super_user', demo: 'forbidden' } as const
const fresh = { ...config, fresh: true } as const
const byId = z.object({ id: z.string() })
const NOTHING = { 204: z.undefined() }

/** Webhooks of an organisation, for super users (decision 0127). */
export function webhookRoutes(app: RouteApp, context: WebhookContext): void {
  const { db, now } = context

  app.get(
    '/organisations/me/webhooks',
    {
      config,
      schema: { tags, summary: 'Webhooks, without their secrets', response: { 200: webhooksSchema } },
    },
    async (request) => {
      const { organisationId } = await context.actorOf(request)
      const webhooks = await listWebhooks(db, organisationId)
      return {
        webhooks: webhooks.map((webhook) => presentWebhook(webhook, now())),
        most: MOST_WEBHOOKS,
        views: await listViews(db, organisationId),
      }
    },
  )

  app.post(
    '/organisations/me/webhooks',
    {
      config: fresh,
      schema: {
        tags,
        summary: 'Make a webhook; its secret is told this once',
        body: newWebhookSchema,
        response: { 200: madeWebhookSchema },
      },
    },
    async (request) => makeWebhook(context, await context.actorOf(request), request.body, originOf(request)),
  )

  app.patch(
    '/organisations/me/webhooks/:id',
    {
      config,
      schema: {
        tags,
        summary: 'Change a webhook; what is not sent stays. Another address asks who holds the session',
        params: byId,
        body: webhookPatchSchema,
        response: NOTHING,
      },
    },
    async (request, reply) => {
      const asked = { id: request.params.id, patch: request.body }
      await patchWebhook(context, await context.actorOf(request), asked, originOf(request))
      return reply.code(204).send()
    },
  )

  app.delete(
    '/organisations/me/webhooks/:id',
    {
      config,
      schema: {
        tags,
        summary: 'Delete a webhook with its log; what waits is not sent',
        params: byId,
        response: NOTHING,
      },
    },
    async (request, reply) => {
      await deleteWebhook(context, await context.actorOf(request), request.params.id, originOf(request))
      return reply.code(204).send()
    },
  )

  app.post(
    '/organisations/me/webhooks/:id/secret',
    {
      config: fresh,
      schema: {
        tags,
        summary: 'Replace the secret, told this once; the one before signs as well for 24 hours',
        params: byId,
        response: { 200: madeWebhookSchema },
      },
    },
    async (request) => replaceSecret(context, await context.actorOf(request), request.params.id, originOf(request)),
  )

  deliveryRoutes(app, context)
}
