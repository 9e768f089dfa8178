import { matchingProgressSchema } from '#contract/matching/matching-progress.ts'
import type { RouteApp, RouteContext } from '#server/platform/route/route-app.ts'
import { matchingProgress } from './queries/why.ts'

/** GET /organisations/me/matching: polled until a list change reaches the report. */
export function matchingProgressRoutes(app: RouteApp, context: RouteContext): void {
  app.get(
    '/organisations/me/matching',
    {
      config: { feature: 'report' },
      schema: {
        tags: ['matching'],
        summary: 'How far the matching that a change of the watch lists asked for has come',
        response: { 200: matchingProgressSchema },
      },
    },
    async (request) => {
      const { organisationId } = await context.actorOf(request)
      return await matchingProgress(context.db, organisationId)
    },
  )
}
