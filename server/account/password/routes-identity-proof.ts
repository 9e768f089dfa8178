import { z } from 'zod/mini'
import {
  identityProofSchema,
  intrusionReportLinkEmailSchema,
  intrusionReportResultSchema,
} from '#contract/account/second-factor.ts'
import type { SecondFactorSource } from '#server/account/second-factor/second-factor-source.ts'
import { getRequestOrigin } from '#server/platform/route/request-origin.ts'
import type { RouteApp, RouteContext } from '#server/platform/route/route-app.ts'
import { getIntrusionReportLinkEmail, handleIntrusionReport } from './report-not-me.ts'
import { verifySessionHolderIdentity } from './verify-session-holder.ts'

type ProofContext = RouteContext & { readonly factors: SecondFactorSource }

const tags = ['session']
const params = z.object({ token: z.string() })

export function identityProofRoutes(app: RouteApp, context: ProofContext): void {
  const { db, now, factors } = context
  app.post(
    '/users/me/proof',
    {
      config: { demo: 'forbidden', operator: true, setUp: true },
      schema: {
        tags,
        summary:
          'Prove the identity of the caller for the next ten minutes. Requires the second factor or, without one, the password',
        body: identityProofSchema,
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      const origin = getRequestOrigin(request)
      await verifySessionHolderIdentity({ db, now, ...factors(), origin }, await context.actorOf(request), request.body)
      return reply.code(204).send()
    },
  )
  app.get(
    '/auth/not-me/:token',
    {
      config: { public: true },
      schema: {
        tags,
        summary: 'Look up whose account a "this was not me" link belongs to; changes nothing',
        params,
        response: { 200: intrusionReportLinkEmailSchema },
      },
    },
    async (request) => getIntrusionReportLinkEmail(context, request.params.token),
  )
  app.post(
    '/auth/not-me/:token',
    {
      config: { public: true },
      schema: {
        tags,
        summary:
          'Report an intruder: end all sessions and get a link for a new password. Also removes access added since the session of the intruder began; works once',
        params,
        response: { 200: intrusionReportResultSchema },
      },
    },
    async (request) => handleIntrusionReport(context, request.params.token, getRequestOrigin(request)),
  )
}
