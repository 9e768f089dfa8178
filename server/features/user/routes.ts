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
        summary: 'Change settings and marks by action; all of the body or nothing',
        body: receivedPatchSchema,
        response: { 200: userSchema },
      },
    },
    async (request) =>
      presentUser(await patchUser(context.db, await context.actorOf(request), request.body, context.now())),
  )
}
