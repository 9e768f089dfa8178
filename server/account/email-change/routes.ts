import { z } from 'zod/mini'
import {
  emailChangeConfirmationResponseSchema,
  emailChangeLinkSchema,
  emailChangeRequestSchema,
  emailChangeSchema,
} from '#contract/account/email-change.ts'
import { recordAuditEvent } from '#server/account/usage-log/audit-events.ts'
import { runWithoutTenant } from '#server/platform/engine/tenant.ts'
import { getRequestOrigin } from '#server/platform/route/request-origin.ts'
import type { RouteApp, RouteContext } from '#server/platform/route/route-app.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'
import {
  beginEmailChange,
  cancelEmailChangeByToken,
  confirmEmailChangeByLink,
  getEmailChangeLink,
} from './change-email.ts'
import { cancelPendingEmailChange, findPendingEmailChange } from './queries.ts'

const tags = ['email change']
const config = { demo: 'forbidden' } as const
const params = z.object({ token: z.string() })
export function emailChangeRoutes(app: RouteApp, context: RouteContext): void {
  const { db, now } = context
  app.get(
    '/users/me/email-change',
    { config, schema: { tags, summary: 'Get the pending e-mail change', response: { 200: emailChangeSchema } } },
    async (request) => {
      const { userId } = await context.actorOf(request)
      const openChange = await runWithoutTenant(() => findPendingEmailChange(db, userId, now()))
      if (!openChange) return { change: null }
      const { newEmail, oldConfirmed, newConfirmed, expiresAt } = openChange
      return {
        change: {
          ...{ new_email: newEmail, old_confirmed: oldConfirmed, new_confirmed: newConfirmed },
          expires_at: new Date(expiresAt).toISOString(),
        },
      }
    },
  )
  app.post(
    '/users/me/email-change',
    {
      config: { ...config, fresh: true },
      schema: {
        tags,
        summary: 'Request an e-mail change that both addresses must confirm; replaces a pending change',
        body: emailChangeRequestSchema,
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      const actor = await context.actorOf(request)
      await runWithoutTenant(() => beginEmailChange(context, actor, request.body.email, getRequestOrigin(request)))
      return reply.code(204).send()
    },
  )
  app.delete(
    '/users/me/email-change',
    { config, schema: { tags, summary: 'Cancel the pending e-mail change', response: { 204: z.undefined() } } },
    async (request, reply) => {
      const { userId, organisationId } = await context.actorOf(request)
      const at = now()
      if (!(await runWithoutTenant(() => cancelPendingEmailChange(db, userId, at)))) throw new ProblemError('not_found')
      const event = { kind: 'email_change_stopped', at, userId, organisationId, ...getRequestOrigin(request) } as const
      await recordAuditEvent(db, event)
      return reply.code(204).send()
    },
  )
  app.get(
    '/email-changes/:token',
    {
      config: { public: true },
      schema: {
        tags,
        summary: 'Look up the e-mail change behind a link; changes nothing',
        params,
        response: { 200: emailChangeLinkSchema },
      },
    },
    async (request) => getEmailChangeLink(context, request.params.token),
  )
  app.post(
    '/email-changes/:token/confirm',
    {
      config: { public: true },
      schema: {
        tags,
        summary: 'Confirm an e-mail change for the address that received the link',
        params,
        response: { 200: emailChangeConfirmationResponseSchema },
      },
    },
    async (request) => confirmEmailChangeByLink(context, request.params.token, getRequestOrigin(request)),
  )
  app.post(
    '/email-changes/:token/stop',
    {
      config: { public: true },
      schema: {
        tags,
        summary: 'Reject an e-mail change; the address stays the same',
        params,
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      await cancelEmailChangeByToken(context, request.params.token, getRequestOrigin(request))
      return reply.code(204).send()
    },
  )
}
