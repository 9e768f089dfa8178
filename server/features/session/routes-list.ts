import type { FastifyRequest } from 'fastify'
import { z } from 'zod/mini'
import { sessionListSchema } from '#contract/session-list.ts'
import type { RouteApp, RouteContext } from '#server/route/route-app.ts'
import { endAllSessions, endOneSession, sessionsOf } from './session-list.ts'

const tags = ['session']
/** The demo's sessions belong to nobody (C6). */
const config = { demo: 'forbidden' } as const
const originOf = (request: FastifyRequest) => ({ address: request.ip, requestId: request.id })

/** GET /users/me/sessions, DELETE /users/me/sessions/{id}/, POST /users/me/sessions/end-all/ (R13). */
export function sessionListRoutes(app: RouteApp, context: RouteContext): void {
  app.get(
    '/users/me/sessions',
    {
      config,
      schema: { tags, summary: 'Where the signed-in user is logged in', response: { 200: sessionListSchema } },
    },
    async (request) => sessionsOf(context, await context.actorOf(request)),
  )
  app.delete(
    '/users/me/sessions/:id',
    {
      config,
      schema: {
        tags,
        summary: 'End one session of the signed-in user',
        params: z.object({ id: z.string() }),
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      await endOneSession(context, await context.actorOf(request), request.params.id, originOf(request))
      return reply.code(204).send()
    },
  )
  app.post(
    '/users/me/sessions/end-all',
    { config, schema: { tags, summary: 'Log out everywhere, here too', response: { 204: z.undefined() } } },
    async (request, reply) => {
      await endAllSessions(context, await context.actorOf(request), originOf(request))
      return reply.code(204).send()
    },
  )
}
