import { z } from 'zod/mini'
import { pursuitSettingsPatchSchema, pursuitSettingsSchema } from '#contract/account/pursuit-settings.ts'
import { pursuitDetailSchema, pursuitListSchema } from '#contract/team/pursuit.ts'
import { movePursuitRequestSchema, pursuitPatchSchema } from '#contract/team/pursuit-action.ts'
import { getBangkokToday } from '#contract/thai/thai-date.ts'
import { parseIdempotencyKeyHeader } from '#server/platform/route/idempotency-keys.ts'
import type { RouteApp, RouteContext } from '#server/platform/route/route-app.ts'
import { changePursuitSettings, loadPursuitSettings } from './change-pursuit-settings.ts'
import { movePursuitToRetenderedProject } from './move-pursuit.ts'
import { assertProjectKnownToOrganisation, patchPursuit, presentPursuitDetail } from './patch-pursuit.ts'
import { listPursuitCards, resolvePursuitFilter } from './pursuit-list-queries.ts'
import { loadPursuitBoard, loadPursuitState } from './queries.ts'

const tags = ['pursuit']
const config = { feature: 'report', demo: 'forbidden' } as const
const byId = z.object({ id: z.string() })

/**
 * Query of the pursuit list. Besides these parameters it accepts every report filter by name, which restricts the list
 * to the projects that the filter finds.
 */
const listQuery = z.looseObject({
  stage: z.optional(z.string().check(z.regex(/^[\w-]{1,40}(,[\w-]{1,40}){0,9}$/))),
  /** Comma-separated user ids; `none` for unassigned. */
  owner: z.optional(z.string().check(z.regex(/^(none|\d{1,9})(,(none|\d{1,9})){0,99}$/))),
  due_within: z.optional(z.string().check(z.regex(/^\d{1,3}$/))),
})

export function pursuitRoutes(app: RouteApp, context: RouteContext): void {
  const { db } = context

  app.get(
    '/pursuits',
    {
      config: { ...config, key: 'pursuits' },
      schema: {
        tags,
        summary: "List cards of the organisation's pursuits, at most 2,000, most recently changed first",
        querystring: listQuery,
        response: { 200: pursuitListSchema },
      },
    },
    async (request) => {
      const actor = await context.actorOf(request)
      const { stage, owner, due_within: within, ...reportParams } = request.query
      const board = await loadPursuitBoard(db, actor.organisationId)
      const filter = {
        stages: stage?.split(','),
        owners: owner?.split(',').map((code) => (code === 'none' ? null : Number(code))),
        dueWithin: within === undefined ? undefined : Number(within),
        ...(await resolvePursuitFilter(db, actor, reportParams, context.now())),
      }
      const today = getBangkokToday(context.now())
      const { organisationId } = actor
      const cards = await listPursuitCards(db, filter, { organisationId, today })
      return { ...cards, version: board.version }
    },
  )

  app.get(
    '/pursuits/settings',
    {
      config: { ...config, key: 'pursuits' },
      schema: {
        tags,
        summary: 'Get stages, initial checklist, members, and whether the caller sees prices',
        response: { 200: pursuitSettingsSchema },
      },
    },
    async (request) => loadPursuitSettings(db, await context.actorOf(request)),
  )
  app.patch(
    '/pursuits/settings',
    {
      config: { ...config, role: 'super_user' },
      schema: {
        tags,
        summary: 'Update stages, checklist or who sees prices; omitted fields stay unchanged',
        body: pursuitSettingsPatchSchema,
        response: { 200: pursuitSettingsSchema },
      },
    },
    async (request) => {
      const origin = { at: context.now(), address: request.ip, requestId: request.id }
      return changePursuitSettings(db, await context.actorOf(request), request.body, origin)
    },
  )

  app.get(
    '/pursuits/:id',
    {
      config: { ...config, key: 'pursuits' },
      schema: {
        tags,
        summary: 'Get the pursuit of a project with its notes, history and outcome',
        params: byId,
        response: { 200: pursuitDetailSchema },
      },
    },
    async (request) => {
      const actor = await context.actorOf(request)
      const projectId = request.params.id
      await assertProjectKnownToOrganisation(db, actor, projectId)
      const board = await loadPursuitBoard(db, actor.organisationId)
      const state = await loadPursuitState(db, actor.organisationId, projectId)
      return presentPursuitDetail(db, actor, { projectId, state, board })
    },
  )
  app.patch(
    '/pursuits/:id',
    {
      config,
      schema: {
        tags,
        summary:
          'Change a pursuit and its notes by actions, all or nothing. The first stage, owner, decision, price or checklist item creates the pursuit. Repeatable with the same Idempotency-Key. With `seen`, returns 409 and the current state if a colleague has changed the same values in the meantime',
        params: byId,
        body: pursuitPatchSchema,
        response: { 200: pursuitDetailSchema },
      },
    },
    async (request) => {
      const actor = await context.actorOf(request)
      return patchPursuit(db, actor, request.params.id, {
        ...{ ...request.body, now: context.now(), key: parseIdempotencyKeyHeader(request) },
      })
    },
  )
  app.post(
    '/pursuits/:id/carry',
    {
      config,
      schema: {
        tags,
        summary:
          'Move the card of a cancelled project to this project, with its notes. Also copies the star and labels of the caller and the labels of the team',
        params: byId,
        body: movePursuitRequestSchema,
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      const actor = await context.actorOf(request)
      await movePursuitToRetenderedProject(db, actor, {
        from: request.body.from,
        to: request.params.id,
        now: context.now(),
      })
      return reply.code(204).send()
    },
  )
}
