import { z } from 'zod/mini'
import {
  loginDomainPatchSchema,
  loginDomainsSchema,
  newLoginDomainSchema,
} from '#contract/account/organisation-login.ts'
import { asOwner } from '#server/platform/engine/tenant.ts'
import { originOf } from '#server/platform/route/origin.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { rowIdOf } from '#server/platform/route/row-id.ts'
import {
  addDomain,
  type DomainContext,
  deleteDomain,
  domainsOf,
  patchDomain,
  proveDomain,
  unbindMember,
} from './change-domains.ts'

const tags = ['member']
const config = { role: 'super_user', demo: 'forbidden' } as const
/** Changes require a fresh login, so that an unattended session is not enough. */
const fresh = { ...config, fresh: true } as const
const params = z.object({ id: z.string() })

export function loginDomainRoutes(app: RouteApp, context: DomainContext): void {
  app.get(
    '/organisations/me/login-domains',
    { config, schema: { tags, summary: 'Domains with a login of their own', response: { 200: loginDomainsSchema } } },
    async (request) => {
      const { organisationId } = await context.actorOf(request)
      return asOwner(() => domainsOf(context, organisationId))
    },
  )
  app.post(
    '/organisations/me/login-domains',
    {
      config: fresh,
      schema: {
        tags,
        summary: 'Name a domain; answers the record that proves it',
        body: newLoginDomainSchema,
        response: { 200: loginDomainsSchema },
      },
    },
    async (request) => {
      const actor = await context.actorOf(request)
      return asOwner(async () => {
        await addDomain(context, actor, request.body, originOf(request))
        return domainsOf(context, actor.organisationId)
      })
    },
  )
  app.post(
    '/organisations/me/login-domains/:id/verify',
    {
      config: fresh,
      schema: { tags, summary: 'Look for the record and connect the domain', params, response: { 204: z.undefined() } },
    },
    async (request, reply) => {
      const actor = await context.actorOf(request)
      await asOwner(() => proveDomain(context, actor, rowIdOf(request.params.id), originOf(request)))
      return reply.code(204).send()
    },
  )
  app.patch(
    '/organisations/me/login-domains/:id',
    {
      config: fresh,
      schema: {
        tags,
        summary: 'Whether members may or must log in this way, and whether our second factor is asked for besides',
        params,
        body: loginDomainPatchSchema,
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      const actor = await context.actorOf(request)
      await asOwner(() => patchDomain(context, actor, rowIdOf(request.params.id), request.body, originOf(request)))
      return reply.code(204).send()
    },
  )
  app.delete(
    '/organisations/me/login-domains/:id',
    { config: fresh, schema: { tags, summary: 'Disconnect a domain', params, response: { 204: z.undefined() } } },
    async (request, reply) => {
      const actor = await context.actorOf(request)
      await asOwner(() => deleteDomain(context, actor, rowIdOf(request.params.id), originOf(request)))
      return reply.code(204).send()
    },
  )
  app.delete(
    '/organisations/me/login-identities/:id',
    {
      config: fresh,
      schema: {
        tags,
        summary: "Forget which of the provider's accounts a member comes with",
        params,
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      const actor = await context.actorOf(request)
      await asOwner(() => unbindMember(context, actor, rowIdOf(request.params.id), originOf(request)))
      return reply.code(204).send()
    },
  )
}
