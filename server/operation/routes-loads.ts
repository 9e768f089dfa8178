import { z } from 'zod/mini'
import { operatorDataLoadsSchema, unreadableDataLoadRowsSchema } from '#contract/operation/loads.ts'
import { OPERATOR_ROLE } from '#contract/reserved-organisations.ts'
import {
  listDataLoads,
  listNightlyRunDataLoads,
  listUnreadableSourceRows,
} from '#server/operation/admin/admin-load-queries.ts'
import { parseRowId } from '#server/platform/route/parse-row-id.ts'
import type { RouteApp, RouteContext } from '#server/platform/route/route-app.ts'

const config = { role: OPERATOR_ROLE } as const
const tags = ['operation']

export function operationDataLoadRoutes(app: RouteApp, { db }: RouteContext): void {
  app.get(
    '/operation/loads',
    {
      config,
      schema: {
        tags,
        summary:
          'List the latest loads of projects, or each load of one night. Among the latest, the feed loads of a night are combined into one',
        querystring: z.object({ night: z.optional(z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/))) }),
        response: { 200: operatorDataLoadsSchema },
      },
    },
    async ({ query: { night } }) => ({
      loads: (night === undefined ? await listDataLoads(db) : await listNightlyRunDataLoads(db, night)).map(
        ({ startedAt, publishedAt, newProjects, updatedProjects, ...load }) => ({
          ...load,
          started_at: startedAt,
          published_at: publishedAt,
          new_projects: newProjects,
          updated_projects: updatedProjects,
        }),
      ),
    }),
  )

  app.get(
    '/operation/loads/:id/rows',
    {
      config,
      schema: {
        tags,
        summary: 'List the rows of a load that could not be read, with reasons',
        params: z.object({ id: z.string() }),
        response: { 200: unreadableDataLoadRowsSchema },
      },
    },
    async (request) => ({ rows: await listUnreadableSourceRows(db, parseRowId(request.params.id)) }),
  )
}
