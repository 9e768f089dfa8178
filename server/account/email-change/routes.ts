import { z } from 'zod/mini'
import {
  emailChangeConfirmedSchema,
  emailChangeLinkSchema,
  emailChangeSchema,
  newEmailSchema,
} from '#contract/account/email-change.ts'
import { recordAuditEvent } from '#server/account/usage-log/audit-events.ts'
import { asOwner } from '#server/platform/engine/tenant.ts'
import { originOf } from '#server/platform/route/origin.ts'
import { ProblemError } from '#server/platform/route/problem.ts'
import type { RouteApp, RouteContext } from '#server/platform/route/route-app.ts'
import { beginChange, confirmLink, lookAtLink, stopByLink } from './change-email.ts'
import { findOpenChange, stopOpenChange } from './queries.ts'

const tags = ['email change']
const config = { demo: 'forbidden' } as const
/** Accepts any text; an invalid token is treated as unknown. */
const params = z.object({ token: z.string() })
export function emailChangeRoutes(app: RouteApp, context: RouteContext): void {
  const { db, now } = context
  app.get(
    '/users/me/email-change',
    { config, schema: { tags, summary: 'The change that is under way', response: { 200: emailChangeSchema } } },
    async (request) => {
      const { userId } = await context.actorOf(request)
      const open = await asOwner(() => findOpenChange(db, userId, now()))
      if (!open) return { change: null }
      const { newEmail, oldConfirmed, newConfirmed, expiresAt } = open
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
        summary: 'Ask both addresses to confirm another one; in place of a change that is under way',
        body: newEmailSchema,
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      const actor = await context.actorOf(request)
      await asOwner(() => beginChange(context, actor, request.body.email, originOf(request)))
      return reply.code(204).send()
    },
  )
  app.delete(
    '/users/me/email-change',
    { config, schema: { tags, summary: 'Stop the change that is under way', response: { 204: z.undefined() } } },
    async (request, reply) => {
      const { userId, organisationId } = await context.actorOf(request)
      const at = now()
      if (!(await asOwner(() => stopOpenChange(db, userId, at)))) throw new ProblemError('not_found')
      const event = { kind: 'email_change_stopped', at, userId, organisationId, ...originOf(request) } as const
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
        summary: 'What a link is about; changes nothing',
        params,
        response: { 200: emailChangeLinkSchema },
      },
    },
    async (request) => lookAtLink(context, request.params.token),
  )
  app.post(
    '/email-changes/:token/confirm',
    {
      config: { public: true },
      schema: {
        tags,
        summary: 'Say yes for the address that the link was sent to',
        params,
        response: { 200: emailChangeConfirmedSchema },
      },
    },
    async (request) => confirmLink(context, request.params.token, originOf(request)),
  )
  app.post(
    '/email-changes/:token/stop',
    {
      config: { public: true },
      schema: { tags, summary: 'Say no: the address stays', params, response: { 204: z.undefined() } },
    },
    async (request, reply) => {
      await stopByLink(context, request.params.token, originOf(request))
      return reply.code(204).send()
    },
  )
}
