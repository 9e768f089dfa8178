import { z } from 'zod/mini'
import { starterKeywordsSchema } from '#contract/matching/keyword-requests.ts'
import { getBusinessSubtypeName } from '#server/account/registration/business-types.ts'
import type { RouteApp, RouteContext } from '#server/platform/route/route-app.ts'
import { GOODS_STARTER_KEYWORDS } from './goods-starter-keywords.ts'
import { SERVICE_STARTER_KEYWORDS } from './service-starter-keywords.ts'
import type { StarterKeywords } from './starter-keywords.ts'
import { WORKS_STARTER_KEYWORDS } from './works-starter-keywords.ts'

/**
 * Words that e-GP titles use for what a business sells, and words to exclude. All were counted in the 1,386,362 titles
 * of fiscal year 2568; `test/starter-words.long.test.ts` verifies the counts.
 */
export const STARTER_KEYWORDS: StarterKeywords = {
  ...WORKS_STARTER_KEYWORDS,
  ...GOODS_STARTER_KEYWORDS,
  ...SERVICE_STARTER_KEYWORDS,
}

export function starterKeywordRoutes(app: RouteApp, context: RouteContext): void {
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
        const [words, name] = [STARTER_KEYWORDS[id], getBusinessSubtypeName(id)]
        if (!words || name === undefined) return []
        const { include, ai, exclude } = words
        return [{ business_type_id: id, name, include: [...include], ai_include: [...ai], exclude: [...exclude] }]
      })
      return { groups }
    },
  )
}
