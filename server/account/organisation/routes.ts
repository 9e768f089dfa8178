import { organisationSchema } from '#contract/account/organisation.ts'
import type { RouteApp, RouteContext } from '#server/platform/route/route-app.ts'
import { loadOrganisationDetails } from './load-organisation-details.ts'

export function organisationRoutes(app: RouteApp, context: RouteContext): void {
  app.get(
    '/organisations/me',
    {
      config: { operator: true, setUp: true },
      schema: {
        tags: ['organisation'],
        summary: 'Get the organisation of the signed-in user and its watch lists',
        response: { 200: organisationSchema },
      },
    },
    async (request) => {
      const { organisationId } = await context.actorOf(request)
      return loadOrganisationDetails(context.db, organisationId)
    },
  )
}
