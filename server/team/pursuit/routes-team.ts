import { colleagueProjectViewsQuerySchema, colleagueProjectViewsSchema } from '#contract/report/project-views.ts'
import { packedTeamLabelsSchema } from '#contract/report/team-label.ts'
import { teamLabelPatchSchema } from '#contract/report/team-label-action.ts'
import { teamLabelsAndViewsSchema } from '#contract/report/team-labels-and-views.ts'
import { teamViewsSchema } from '#contract/report/team-view.ts'
import { teamViewPatchSchema } from '#contract/report/team-view-action.ts'
import type { RouteApp, RouteContext } from '#server/platform/route/route-app.ts'
import { patchTeamLabels } from './patch-team-labels.ts'
import { loadTeamViews, patchTeamViews } from './patch-team-views.ts'
import { listProjectViewers } from './project-viewer-queries.ts'
import { createTeamLabelCache } from './team-label-queries.ts'

const tags = ['pursuit']
const config = { feature: 'report', demo: 'forbidden' } as const

export function teamLabelAndViewRoutes(app: RouteApp, context: RouteContext): void {
  const { db } = context
  const teamLabels = createTeamLabelCache(db)

  app.get(
    '/team-marks',
    {
      config: { ...config, key: 'pursuits' },
      schema: {
        tags,
        summary:
          'List labels of the organisation, the projects that carry them, and saved filters shared by colleagues',
        response: { 200: teamLabelsAndViewsSchema },
      },
    },
    async (request) => {
      const actor = await context.actorOf(request)
      const [labels, views] = await Promise.all([teamLabels(actor.organisationId), loadTeamViews(db, actor)])
      return { ...labels, ...views }
    },
  )
  app.get(
    '/project-looks',
    {
      config,
      schema: {
        tags,
        summary:
          'List the colleagues who viewed the given projects. Only between users who agreed to share their views',
        querystring: colleagueProjectViewsQuerySchema,
        response: { 200: colleagueProjectViewsSchema },
      },
    },
    async (request) => ({
      looks: await listProjectViewers(db, await context.actorOf(request), request.query.ids.split(',')),
    }),
  )
  app.patch(
    '/team-labels',
    {
      config,
      schema: {
        tags,
        summary:
          'Create a label of the organisation, or add it to or remove it from projects. Only its creator and super users may rename, recolour or delete it',
        body: teamLabelPatchSchema,
        response: { 200: packedTeamLabelsSchema },
      },
    },
    async (request) => {
      const actor = await context.actorOf(request)
      return patchTeamLabels(db, actor, { action: request.body.action, now: context.now() })
    },
  )

  app.patch(
    '/team-views',
    {
      config,
      schema: {
        tags,
        summary:
          'Use the view of a colleague as the starting view, or stop using it. Super users can also rename it, end its sharing and delete it',
        body: teamViewPatchSchema,
        response: { 200: teamViewsSchema },
      },
    },
    async (request) => {
      const actor = await context.actorOf(request)
      return patchTeamViews(db, actor, { action: request.body.action, now: context.now() })
    },
  )
}
