import { userSchema } from '#contract/user.ts'
import { ProblemError } from '#server/route/problem.ts'
import type { RouteApp, RouteContext } from '#server/route/route-app.ts'
import { presentUser } from './present-user.ts'
import { findUser } from './queries.ts'

/** GET /users/me (specification section 7). */
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
}
