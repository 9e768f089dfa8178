import { z } from 'zod/mini'
import {
  loginDomainPatchSchema,
  loginDomainsSchema,
  newLoginDomainSchema,
} from '#contract/account/organisation-login.ts'
import { runWithoutTenant } from '#server/platform/engine/tenant.ts'
import { parseRowId } from '#server/platform/route/parse-row-id.ts'
import { getRequestOrigin } from '#server/platform/route/request-origin.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import {
  changeLoginDomain,
  deleteLoginDomain,
  type LoginDomainContext,
  loadLoginDomains,
  registerLoginDomain,
  unlinkMemberIdentities,
  verifyLoginDomainByDns,
} from './change-login-domains.ts'

const tags = ['member']
const config = { role: 'super_user', demo: 'forbidden' } as const
const fresh = { ...config, fresh: true } as const
const params = z.object({ id: z.string() })

export function loginDomainRoutes(app: RouteApp, context: LoginDomainContext): void {
  app.get(
    '/organisations/me/login-domains',
    {
      config,
      schema: { tags, summary: 'List e-mail domains with organisation login', response: { 200: loginDomainsSchema } },
    },
    async (request) => {
      const { organisationId } = await context.actorOf(request)
      return runWithoutTenant(() => loadLoginDomains(context, organisationId))
    },
  )
  app.post(
    '/organisations/me/login-domains',
    {
      config: fresh,
      schema: {
        tags,
        summary: 'Add a login domain; returns the DNS record that proves ownership',
        body: newLoginDomainSchema,
        response: { 200: loginDomainsSchema },
      },
    },
    async (request) => {
      const actor = await context.actorOf(request)
      return runWithoutTenant(async () => {
        await registerLoginDomain(context, actor, request.body, getRequestOrigin(request))
        return loadLoginDomains(context, actor.organisationId)
      })
    },
  )
  app.post(
    '/organisations/me/login-domains/:id/verify',
    {
      config: fresh,
      schema: {
        tags,
        summary: 'Verify the DNS record and connect the domain',
        params,
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      const actor = await context.actorOf(request)
      await runWithoutTenant(() =>
        verifyLoginDomainByDns(context, actor, parseRowId(request.params.id), getRequestOrigin(request)),
      )
      return reply.code(204).send()
    },
  )
  app.patch(
    '/organisations/me/login-domains/:id',
    {
      config: fresh,
      schema: {
        tags,
        summary:
          'Set the login rule of a domain. Members may or must log in with their organisation account, with or without the second factor of this service as well',
        params,
        body: loginDomainPatchSchema,
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      const actor = await context.actorOf(request)
      await runWithoutTenant(() =>
        changeLoginDomain(context, actor, parseRowId(request.params.id), request.body, getRequestOrigin(request)),
      )
      return reply.code(204).send()
    },
  )
  app.delete(
    '/organisations/me/login-domains/:id',
    { config: fresh, schema: { tags, summary: 'Disconnect a domain', params, response: { 204: z.undefined() } } },
    async (request, reply) => {
      const actor = await context.actorOf(request)
      await runWithoutTenant(() =>
        deleteLoginDomain(context, actor, parseRowId(request.params.id), getRequestOrigin(request)),
      )
      return reply.code(204).send()
    },
  )
  app.delete(
    '/organisations/me/login-identities/:id',
    {
      config: fresh,
      schema: {
        tags,
        summary: 'Unlink a member from their account at the login provider',
        params,
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      const actor = await context.actorOf(request)
      await runWithoutTenant(() =>
        unlinkMemberIdentities(context, actor, parseRowId(request.params.id), getRequestOrigin(request)),
      )
      return reply.code(204).send()
    },
  )
}
