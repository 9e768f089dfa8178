import { organisationSchema } from '#contract/organisation.ts'
import { ProblemError } from '#server/route/problem.ts'
import type { RouteApp, RouteContext } from '#server/route/route-app.ts'
import { presentOrganisation } from './present-organisation.ts'
import { findOrganisation } from './queries.ts'

/** GET /organisations/me (specification section 7). */
export function organisationRoutes(app: RouteApp, context: RouteContext): void {
  app.get(
    '/organisations/me',
    {
      schema: {
        tags: ['organisation'],
        summary: "The signed-in user's organisation and its watch lists",
        response: { 200: organisationSchema },
      },
    },
    async (request) => {
      const { organisationId } = await context.actorOf(request)
      const organisation = await findOrganisation(context.db, organisationId)
      if (!organisation) throw new ProblemError('session_invalid')
      return presentOrganisation(organisation)
    },
  )
}
