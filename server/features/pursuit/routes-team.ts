import { teamLabelsSchema } from '#contract/pursuit/team-label.ts'
import { teamLabelPatchSchema } from '#contract/pursuit/team-label-action.ts'
import type { RouteApp, RouteContext } from '#server/route/route-app.ts'
import { patchTeamLabels } from './patch-team-labels.ts'
import { loadTeamLabels } from './queries-labels.ts'

const tags = ['pursuit']
const config = { feature: 'report', demo: 'forbidden' } as const

/** What a team shares beside its pursuits: labels. The demo has no team (C6). */
export function teamRoutes(app: RouteApp, context: RouteContext): void {
  const { db } = context

  app.get(
    '/team-labels',
    {
      config,
      schema: {
        tags,
        summary: 'Labels of the organisation, and which projects carry them',
        response: { 200: teamLabelsSchema },
      },
    },
    async (request) => loadTeamLabels(db, (await context.actorOf(request)).organisationId),
  )
  app.patch(
    '/team-labels',
    {
      config,
      schema: {
        tags,
        summary:
          'Make a label of the organisation, give it to projects or take it off; rename, recolour or delete it, which only its maker and super users may',
        body: teamLabelPatchSchema,
        response: { 200: teamLabelsSchema },
      },
    },
    async (request) => {
      const actor = await context.actorOf(request)
      return patchTeamLabels(db, actor, { action: request.body.action, now: context.now() })
    },
  )
}
