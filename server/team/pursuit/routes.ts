import { z } from 'zod/mini'
import { pursuitSettingsPatchSchema, pursuitSettingsSchema } from '#contract/account/pursuit-settings.ts'
import { pursuitDetailSchema, pursuitListSchema } from '#contract/team/pursuit.ts'
import { carryPursuitSchema, pursuitPatchSchema } from '#contract/team/pursuit-action.ts'
import { bangkokToday } from '#contract/thai/thai-date.ts'
import { changeKeyOf } from '#server/platform/route/change-keys.ts'
import type { RouteApp, RouteContext } from '#server/platform/route/route-app.ts'
import { carryPursuit } from './carry-pursuit.ts'
import { changeSettings, settingsOf } from './change-settings.ts'
import { assertKnown, patchPursuit, presentDetail } from './patch-pursuit.ts'
import { listCards, pursuitsWithin } from './pursuit-list-queries.ts'
import { loadBoard, loadState } from './queries.ts'

const tags = ['pursuit']
const config = { feature: 'report', demo: 'forbidden' } as const
const byId = z.object({ id: z.string() })

/** Accepts any report filter by name as well: pursuits of the projects it finds. */
const listQuery = z.looseObject({
  stage: z.optional(z.string().check(z.regex(/^[\w-]{1,40}(,[\w-]{1,40}){0,9}$/))),
  /** Comma-separated user ids; `none` for unassigned. */
  owner: z.optional(z.string().check(z.regex(/^(none|\d{1,9})(,(none|\d{1,9})){0,99}$/))),
  due_within: z.optional(z.string().check(z.regex(/^\d{1,3}$/))),
})

/** Pursuits of the organisation. Not available in the demo (C6). */
export function pursuitRoutes(app: RouteApp, context: RouteContext): void {
  const { db } = context

  app.get(
    '/pursuits',
    {
      config: { ...config, key: 'pursuits' },
      schema: {
        tags,
        summary: "Cards of the organisation's pursuits, 2,000 at most, those changed last first",
        querystring: listQuery,
        response: { 200: pursuitListSchema },
      },
    },
    async (request) => {
      const actor = await context.actorOf(request)
      const { stage, owner, due_within: within, ...others } = request.query
      const board = await loadBoard(db, actor.organisationId)
      const filter = {
        stages: stage?.split(','),
        owners: owner?.split(',').map((one) => (one === 'none' ? null : Number(one))),
        dueWithin: within === undefined ? undefined : Number(within),
        ...(await pursuitsWithin(db, actor, others, context.now())),
      }
      const today = bangkokToday(context.now())
      const { organisationId } = actor
      const cards = await listCards(db, filter, { organisationId, today })
      return { ...cards, version: board.version }
    },
  )

  app.get(
    '/pursuits/settings',
    {
      config,
      schema: {
        tags,
        summary: 'Stages, checklist to begin with, members, and whether the caller sees prices',
        response: { 200: pursuitSettingsSchema },
      },
    },
    async (request) => settingsOf(db, await context.actorOf(request)),
  )
  app.patch(
    '/pursuits/settings',
    {
      config: { ...config, role: 'super_user' },
      schema: {
        tags,
        summary: 'Change stages, checklist or who sees prices; what is not sent stays',
        body: pursuitSettingsPatchSchema,
        response: { 200: pursuitSettingsSchema },
      },
    },
    async (request) => {
      const origin = { at: context.now(), address: request.ip, requestId: request.id }
      return changeSettings(db, await context.actorOf(request), request.body, origin)
    },
  )

  app.get(
    '/pursuits/:id',
    {
      config: { ...config, key: 'pursuits' },
      schema: {
        tags,
        summary: 'Pursuit, notes, history and outcome of one project',
        params: byId,
        response: { 200: pursuitDetailSchema },
      },
    },
    async (request) => {
      const actor = await context.actorOf(request)
      const projectId = request.params.id
      await assertKnown(db, actor, projectId)
      const board = await loadBoard(db, actor.organisationId)
      const state = await loadState(db, actor.organisationId, projectId)
      return presentDetail(db, actor, { projectId, state, board })
    },
  )
  app.patch(
    '/pursuits/:id',
    {
      config,
      schema: {
        tags,
        summary:
          'Change a pursuit and its notes by actions, all of them or none; the first decision begins it; repeatable with the same Idempotency-Key; with `seen`, 409 and the current state where a colleague changed the same meanwhile',
        params: byId,
        body: pursuitPatchSchema,
        response: { 200: pursuitDetailSchema },
      },
    },
    async (request) => {
      const actor = await context.actorOf(request)
      return patchPursuit(db, actor, request.params.id, {
        ...{ ...request.body, now: context.now(), key: changeKeyOf(request) },
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
          "Carry a cancelled project's card here, with its notes, and copy the caller's star and labels and the team's labels",
        params: byId,
        body: carryPursuitSchema,
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      const actor = await context.actorOf(request)
      await carryPursuit(db, actor, { from: request.body.from, to: request.params.id, now: context.now() })
      return reply.code(204).send()
    },
  )
}
