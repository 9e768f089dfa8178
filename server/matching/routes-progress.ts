import { matchingProgressSchema } from '#contract/matching/matching-progress.ts'
import type { RouteApp, RouteContext } from '#server/platform/route/route-app.ts'
import { loadMatchingProgress } from './queries/project-for-match-explanation.ts'

export function matchingProgressRoutes(app: RouteApp, context: RouteContext): void {
  app.get(
    '/organisations/me/matching',
    {
      config: { feature: 'report' },
      schema: {
        tags: ['matching'],
        summary: 'Get the progress of the matching triggered by a change of the watch lists',
        response: { 200: matchingProgressSchema },
      },
    },
    async (request) => {
      const { organisationId } = await context.actorOf(request)
      return await loadMatchingProgress(context.db, organisationId)
    },
  )
}
