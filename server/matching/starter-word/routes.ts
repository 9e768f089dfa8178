import { z } from 'zod/mini'
import { starterKeywordsSchema } from '#contract/matching/keyword-requests.ts'
import { getBusinessSubtypeName } from '#server/account/registration/business-types.ts'
import type { RouteApp, RouteContext } from '#server/platform/route/route-app.ts'
import { GOODS_STARTER_WORDS } from './goods-starter-words.ts'
import { SERVICE_STARTER_WORDS } from './service-starter-words.ts'
import type { StarterWords } from './starter-words.ts'
import { WORKS_STARTER_WORDS } from './works-starter-words.ts'

/**
 * Words that e-GP titles use for what a business sells, and words to exclude. All were counted in the 1,386,362 titles
 * of fiscal year 2568; `test/starter-words.test.ts` verifies the counts.
 */
export const STARTER_WORDS: StarterWords = { ...WORKS_STARTER_WORDS, ...GOODS_STARTER_WORDS, ...SERVICE_STARTER_WORDS }

export function starterWordRoutes(app: RouteApp, context: RouteContext): void {
  app.get(
    '/organisations/starter-words',
    {
      schema: {
        tags: ['organisation'],
        summary:
          'Suggest words to start with, by what the organisation sells. `types` lists ids of business subtypes; unknown ids are ignored',
        querystring: z.object({ types: z.optional(z.string().check(z.maxLength(2000))) }),
        response: { 200: starterKeywordsSchema },
      },
    },
    async (request) => {
      await context.actorOf(request)
      const ids = new Set((request.query.types ?? '').split(',').map(Number))
      const groups = [...ids].flatMap((id) => {
        const [words, name] = [STARTER_WORDS[id], getBusinessSubtypeName(id)]
        if (!words || name === undefined) return []
        const { include, ai, exclude } = words
        return [{ business_type_id: id, name, include: [...include], ai_include: [...ai], exclude: [...exclude] }]
      })
      return { groups }
    },
  )
}
