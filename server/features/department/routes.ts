import { z } from 'zod/mini'
import { departmentListSchema } from '#contract/department.ts'
import type { RouteApp, RouteContext } from '#server/route/route-app.ts'
import { findDepartments } from './find-departments.ts'
import { keepCatalogue } from './kept-catalogue.ts'

/** Longest name of an agency in the real directory: 94 characters. */
const name = z.optional(z.string().check(z.maxLength(300)))

/** GET /departments: the master list that department keywords are picked from (D9). */
export function departmentRoutes(app: RouteApp, context: RouteContext): void {
  const catalogue = keepCatalogue(context.db, context.now)
  app.get(
    '/departments',
    {
      schema: {
        tags: ['department'],
        summary: 'Departments and purchasing units with the number of their projects, as a tree or by search',
        querystring: z.object({ q: name, ministry: name, department: name }),
        response: { 200: departmentListSchema },
      },
    },
    async (request) => {
      await context.actorOf(request)
      return findDepartments(await catalogue(), request.query)
    },
  )
}
