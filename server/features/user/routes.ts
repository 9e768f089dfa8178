import { z } from 'zod/mini'
import { userSchema } from '#contract/user.ts'
import { userPatchSchema } from '#contract/user-patch.ts'
import { ProblemError } from '#server/route/problem.ts'
import type { RouteApp, RouteContext } from '#server/route/route-app.ts'
import { patchUser } from './patch-user.ts'
import { presentUser } from './present-user.ts'
import { findUser } from './queries.ts'

const receivedPatchSchema = z.extend(userPatchSchema, { project_labels: z.optional(z.unknown()) })

/** GET and PATCH /users/me (specification section 7). */
export function userRoutes(app: RouteApp, context: RouteContext): void {
  app.get(
    '/users/me',
    {
      schema: {
        tags: ['user'],
        summary: 'The signed-in user with their marks and settings',
        response: { 200: userSchema },
      },
    },
    async (request) => {
      const { userId } = await context.actorOf(request)
      const user = await findUser(context.db, userId)
      if (!user) throw new ProblemError('session_invalid')
      return presentUser(user)
    },
  )

  app.patch(
    '/users/me',
    {
      schema: {
        tags: ['user'],
        summary:
          'Change settings and marks by action; all of the body or nothing. With `Prefer: return=minimal` (RFC 7240) the answer is 204 without the user',
        body: receivedPatchSchema,
        response: { 200: userSchema, 204: z.undefined() },
      },
    },
    async (request, reply) => {
      const isMinimal = prefersMinimal(request.headers.prefer)
      const actor = await context.actorOf(request)
      const user = await patchUser(context.db, actor, request.body, { at: context.now(), isMinimal })
      if (user) return presentUser(user)
      return reply.code(204).header('preference-applied', 'return=minimal').send(undefined)
    },
  )
}

/** Whether a `Prefer` header names `return=minimal` among its preferences. */
function prefersMinimal(prefer: string | string[] | undefined): boolean {
  const preferences = [prefer ?? []].flat().flatMap((one) => one.split(','))
  return preferences.some((one) => one.trim().toLowerCase() === 'return=minimal')
}
