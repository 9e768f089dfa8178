import { z } from 'zod/mini'
import {
  operatedOrganisationsSchema,
  operatedUserChangeSchema,
  organisationChangeSchema,
  organisationDetailsSchema,
} from '#contract/operation/organisations.ts'
import { OPERATOR_ROLE } from '#contract/reserved-organisations.ts'
import type { AdminRequest } from '#server/operation/admin/admin-requests.ts'
import { isOperator, listOrganisations } from '#server/operation/admin/queries.ts'
import { ProblemError } from '#server/platform/route/problem.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { emailKeyOf } from '#server/platform/text/email.ts'
import { customerCode, type OperateContext, operateAdmin, readAdmin, requestsOf } from './operate-admin.ts'
import { presentDetails, presentOrganisation } from './present-organisation.ts'

const config = { role: OPERATOR_ROLE } as const
/** Changes require a recent proof of identity (R64). */
const changing = { ...config, fresh: true } as const
const tags = ['operation']
const params = z.object({ code: z.string() })
const done = { 204: z.undefined() }

/** Operators only (R61). */
export function operationOrganisationRoutes(app: RouteApp, context: OperateContext): void {
  const { db } = context
  app.get(
    '/operation/organisations',
    {
      config,
      schema: {
        tags,
        summary: 'Each organisation with its package, flags, limits, users and last use',
        response: { 200: operatedOrganisationsSchema },
      },
    },
    async () => ({ organisations: (await listOrganisations(db)).map(presentOrganisation) }),
  )

  app.get(
    '/operation/organisations/:code',
    {
      config,
      schema: {
        tags,
        summary: 'What can be set about it, and its users',
        params,
        response: { 200: organisationDetailsSchema },
      },
    },
    async (request) => {
      const answer = await readAdmin(context, request, { do: 'show', organisation: customerCode(request.params.code) })
      if (!('details' in answer)) throw new Error('show answers details')
      return presentDetails(answer.details, answer.users)
    },
  )

  app.patch(
    '/operation/organisations/:code',
    {
      config: changing,
      schema: {
        tags,
        summary:
          'Set package, flags, limits, budget years, closed hours or whether anybody may log in: all of it or nothing',
        params,
        body: organisationChangeSchema,
        response: done,
      },
    },
    async (request, reply) => {
      await operateAdmin(context, request, requestsOf(customerCode(request.params.code), request.body))
      return reply.code(204).send()
    },
  )

  app.post(
    '/operation/organisations/:code/rematch',
    {
      config: changing,
      schema: {
        tags,
        summary: 'Match every project against its watch lists anew, in the background',
        params,
        response: done,
      },
    },
    async (request, reply) => {
      await operateAdmin(context, request, [{ do: 'rematch', organisation: customerCode(request.params.code) }])
      return reply.code(204).send()
    },
  )

  app.patch(
    '/operation/users',
    {
      config: changing,
      schema: {
        tags,
        summary: 'The role of a user of a customer, and whether they may log in; closing ends all their sessions',
        body: operatedUserChangeSchema,
        response: done,
      },
    },
    async (request, reply) => {
      const { email, role, is_disabled: disabled } = request.body
      // Operators can be changed only at the command line.
      if (await isOperator(db, emailKeyOf(email))) throw new ProblemError('not_found')
      const requests: AdminRequest[] = []
      if (role !== undefined) requests.push({ do: 'set-role', email, role })
      if (disabled !== undefined) requests.push({ do: 'set-user-disabled', email, disabled })
      await operateAdmin(context, request, requests)
      return reply.code(204).send()
    },
  )
}
