import { z } from 'zod/mini'
import {
  createdWebhookSchema,
  MAX_WEBHOOKS,
  newWebhookSchema,
  webhookPatchSchema,
  webhooksSchema,
} from '#contract/account/webhook.ts'
import { getRequestOrigin } from '#server/platform/route/request-origin.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import {
  createOrganisationWebhook,
  deleteOrganisationWebhook,
  issueNewWebhookSecret,
  toWebhookResponse,
  updateOrganisationWebhook,
  type WebhookContext,
} from './change-webhooks.ts'
import { listWebhooks, listWebhookViews } from './queries.ts'
import { webhookDeliveryRoutes } from './routes-deliveries.ts'

const tags = ['webhook']
const config = { feature: 'report', role: 'super_user', demo: 'forbidden' } as const
const fresh = { ...config, fresh: true } as const
const byId = z.object({ id: z.string() })
const NO_CONTENT = { 204: z.undefined() }

export function webhookRoutes(app: RouteApp, context: WebhookContext): void {
  const { db, now } = context

  app.get(
    '/organisations/me/webhooks',
    {
      config,
      schema: { tags, summary: 'List webhooks, without their secrets', response: { 200: webhooksSchema } },
    },
    async (request) => {
      const { organisationId } = await context.actorOf(request)
      const webhooks = await listWebhooks(db, organisationId)
      return {
        webhooks: webhooks.map((webhook) => toWebhookResponse(webhook, now())),
        most: MAX_WEBHOOKS,
        views: await listWebhookViews(db, organisationId),
      }
    },
  )

  app.post(
    '/organisations/me/webhooks',
    {
      config: fresh,
      schema: {
        tags,
        summary: 'Create a webhook; its secret is returned only once',
        body: newWebhookSchema,
        response: { 200: createdWebhookSchema },
      },
    },
    async (request) =>
      createOrganisationWebhook(context, await context.actorOf(request), request.body, getRequestOrigin(request)),
  )

  app.patch(
    '/organisations/me/webhooks/:id',
    {
      config,
      schema: {
        tags,
        summary: 'Update a webhook; omitted fields stay unchanged. Changing the address requires proof of identity',
        params: byId,
        body: webhookPatchSchema,
        response: NO_CONTENT,
      },
    },
    async (request, reply) => {
      const change = { id: request.params.id, patch: request.body }
      await updateOrganisationWebhook(context, await context.actorOf(request), change, getRequestOrigin(request))
      return reply.code(204).send()
    },
  )

  app.delete(
    '/organisations/me/webhooks/:id',
    {
      config,
      schema: {
        tags,
        summary: 'Delete a webhook and its log; pending deliveries are not sent',
        params: byId,
        response: NO_CONTENT,
      },
    },
    async (request, reply) => {
      await deleteOrganisationWebhook(
        context,
        await context.actorOf(request),
        request.params.id,
        getRequestOrigin(request),
      )
      return reply.code(204).send()
    },
  )

  app.post(
    '/organisations/me/webhooks/:id/secret',
    {
      config: fresh,
      schema: {
        tags,
        summary:
          'Replace the secret of a webhook. The new one is returned only once; the previous one also signs for another 24 hours',
        params: byId,
        response: { 200: createdWebhookSchema },
      },
    },
    async (request) =>
      issueNewWebhookSecret(context, await context.actorOf(request), request.params.id, getRequestOrigin(request)),
  )

  webhookDeliveryRoutes(app, context)
}
