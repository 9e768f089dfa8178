import { z } from 'zod/mini'
import {
  operatorOrganisationChangeSchema,
  operatorOrganisationDetailsSchema,
  operatorOrganisationsSchema,
  operatorUserChangeSchema,
} from '#contract/operation/operator-organisations.ts'
import { OPERATOR_ROLE } from '#contract/reserved-organisations.ts'
import type { AdminRequest } from '#server/operation/admin/admin-requests.ts'
import { isOperator, listOrganisations } from '#server/operation/admin/queries.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'
import { toEmailKey } from '#server/platform/text/email.ts'
import {
  applyAdminRequests,
  type OperatorContext,
  requireCustomerCode,
  runAdminReadRequest,
  toAdminRequests,
} from './operator-requests.ts'
import { presentOrganisation, presentOrganisationDetails } from './present-organisation.ts'

const config = { role: OPERATOR_ROLE } as const
const changing = { ...config, fresh: true } as const
const tags = ['operation']
const params = z.object({ code: z.string() })
const noContent = { 204: z.undefined() }

export function operationOrganisationRoutes(app: RouteApp, context: OperatorContext): void {
  const { db } = context
  app.get(
    '/operation/organisations',
    {
      config,
      schema: {
        tags,
        summary: 'List organisations with package, flags, limits, users and last use',
        response: { 200: operatorOrganisationsSchema },
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
        summary: 'Get the settings and users of an organisation',
        params,
        response: { 200: operatorOrganisationDetailsSchema },
      },
    },
    async (request) => {
      const answer = await runAdminReadRequest(context, request, {
        do: 'show',
        organisation: requireCustomerCode(request.params.code),
      })
      if (!('details' in answer)) throw new Error('the show command returned no details')
      return presentOrganisationDetails(answer.details, answer.users)
    },
  )

  app.patch(
    '/operation/organisations/:code',
    {
      config: changing,
      schema: {
        tags,
        summary:
          'Change the settings of an organisation, all or nothing. Sets package, flags, limits, budget years, closed hours and whether its users may log in',
        params,
        body: operatorOrganisationChangeSchema,
        response: noContent,
      },
    },
    async (request, reply) => {
      await applyAdminRequests(
        context,
        request,
        toAdminRequests(requireCustomerCode(request.params.code), request.body),
      )
      return reply.code(204).send()
    },
  )

  app.post(
    '/operation/organisations/:code/rematch',
    {
      config: changing,
      schema: {
        tags,
        summary: 'Rematch every project against the watch lists of an organisation, in the background',
        params,
        response: noContent,
      },
    },
    async (request, reply) => {
      await applyAdminRequests(context, request, [
        { do: 'rematch', organisation: requireCustomerCode(request.params.code) },
      ])
      return reply.code(204).send()
    },
  )

  app.patch(
    '/operation/users',
    {
      config: changing,
      schema: {
        tags,
        summary:
          'Change the role of a customer user, or whether they may log in. Closing the account ends all their sessions',
        body: operatorUserChangeSchema,
        response: noContent,
      },
    },
    async (request, reply) => {
      const { email, role, is_disabled: disabled } = request.body
      // Operators can be changed only at the command line.
      if (await isOperator(db, toEmailKey(email))) throw new ProblemError('not_found')
      const requests: AdminRequest[] = []
      if (role !== undefined) requests.push({ do: 'set-role', email, role })
      if (disabled !== undefined) requests.push({ do: 'set-user-disabled', email, disabled })
      await applyAdminRequests(context, request, requests)
      return reply.code(204).send()
    },
  )
}
