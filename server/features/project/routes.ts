import type { FastifyRequest } from 'fastify'
import { z } from 'zod/mini'
import { AHEAD, linkedProjectsSchema, projectDetailSchema, similarPricesSchema } from '#contract/project-detail.ts'
import type { ReportRow } from '#contract/report.ts'
import type { Db } from '#server/db/db.ts'
import { isSampleOnly } from '#server/db/sample-only.ts'
import type { Actor } from '#server/route/actor.ts'
import { ProblemError } from '#server/route/problem.ts'
import type { RouteApp, RouteContext, SaidUsage } from '#server/route/route-app.ts'
import { linkedProjects } from './linked-projects.ts'
import { presentDetail } from './present-detail.ts'
import { loadDetail } from './queries.ts'
import { type ComparedProject, loadComparedProject } from './queries-similar.ts'
import { noteLook, previousLook } from './queries-views.ts'
import { similarPrices } from './similar-prices.ts'

/** What a project's page needs of the report, which it does not know. */
export type ProjectContext = RouteContext & {
  /** The organisation's row of it as the report shows it; undefined when its report does not hold the project. */
  loadRow(db: Db, projectId: string, organisationId: number): Promise<ReportRow | undefined>
}

const config = { feature: 'report' } as const
const tags = ['project']
const params = z.object({ id: z.string() })
/** Longer or stranger ones are nobody's: e-GP's have 11 digits. */
const ID = /^[\w-]{1,40}$/

/** Who asks ahead of a visit opens nothing. */
function sayOpened({ params, query }: FastifyRequest): SaidUsage | undefined {
  if ((query as { ahead?: string }).ahead === AHEAD.ahead) return undefined
  return { type: 'open', description: `เปิดดูโครงการ ${(params as { id: string }).id}` }
}

/** GET /projects/{id}: one project of the caller's report, and what its page loads later. */
export function projectRoutes(app: RouteApp, context: ProjectContext): void {
  const { db } = context

  app.get(
    '/projects/:id',
    {
      config: { ...config, usage: sayOpened },
      schema: {
        tags,
        summary: "One project of the caller's report with its history, files, bidders and contracts",
        params,
        querystring: z.object({ ahead: z.optional(z.string()) }),
        response: { 200: projectDetailSchema },
      },
    },
    async (request) => {
      const { organisationId, userId } = await context.actorOf(request)
      const { id } = request.params
      if (!ID.test(id)) throw new ProblemError('not_found')
      const found = await db.transaction(
        async (tx) => {
          const row = await context.loadRow(tx, id, organisationId)
          const detail = row && (await loadDetail(tx, id))
          return row && detail && { row, detail }
        },
        { readOnly: true },
      )
      if (!found) throw new ProblemError('not_found')
      // Who asks for the head alone, or ahead of a visit, sees nothing.
      const look = request.method === 'HEAD' || request.query.ahead === AHEAD.ahead ? previousLook : noteLook
      return presentDetail(found.row, found.detail, await look(db, userId, id, context.now()))
    },
  )

  const comparedOf = async (id: string, actor: Actor): Promise<ComparedProject> => {
    const project = ID.test(id) ? await loadComparedProject(db, id, actor.organisationId) : undefined
    if (!project) throw new ProblemError('not_found')
    return { ...project, isSampleOnly: await isSampleOnly(db, actor) }
  }

  app.get(
    '/projects/:id/similar-prices',
    {
      config,
      schema: {
        tags,
        summary: 'How far below the reference price decided projects that resemble this one were won',
        params,
        response: { 200: similarPricesSchema },
      },
    },
    async (request) => {
      return similarPrices(db, await comparedOf(request.params.id, await context.actorOf(request)))
    },
  )

  app.get(
    '/projects/:id/linked',
    {
      config,
      schema: {
        tags,
        summary: 'Other runs of the same purchase, other years of it, and what its unit bought that is much the same',
        params,
        response: { 200: linkedProjectsSchema },
      },
    },
    async (request) => {
      const actor = await context.actorOf(request)
      const project = await comparedOf(request.params.id, actor)
      return { results: await linkedProjects(db, project, actor.organisationId) }
    },
  )
}
