import { z } from 'zod/mini'
import {
  changeTermsSchema,
  expandRequestSchema,
  expansionSchema,
  keywordTermsSchema,
  termsOfKeywordSchema,
} from '#contract/keyword-term.ts'
import { ProblemError } from '#server/route/problem.ts'
import type { RouteApp } from '#server/route/route-app.ts'
import { editorOf, type KeywordContext } from './keyword-context.ts'
import { changeTerms, expansionOf, termsOfAll } from './keyword-terms.ts'

const tags = ['watch list']
const config = { feature: 'report' } as const

/** What the words of the AI lists stand for. */
export function termRoutes(app: RouteApp, context: KeywordContext): void {
  app.get(
    '/organisations/me/keyword-terms',
    { config, schema: { tags, summary: 'The terms of every AI keyword', response: { 200: keywordTermsSchema } } },
    async (request) => {
      const { organisationId } = await context.actorOf(request)
      return termsOfAll(context, organisationId)
    },
  )
  app.post(
    '/organisations/me/keywords/expand',
    {
      config,
      schema: {
        tags,
        summary: 'The terms that a word would stand for, before it is saved',
        body: expandRequestSchema,
        response: { 200: expansionSchema },
      },
    },
    async (request) => expansionOf(context, request.body.word),
  )
  app.patch(
    '/organisations/me/keywords/:id/terms',
    {
      // Visitors share the demo's organisation.
      config: { ...config, demo: 'demo_read_only' },
      schema: {
        tags,
        summary: 'Tick, untick and add terms of an AI keyword',
        params: z.object({ id: z.string() }),
        body: changeTermsSchema,
        response: { 200: termsOfKeywordSchema },
      },
    },
    async (request) => changeTerms(context, await editorOf(context, request), idOf(request.params.id), request.body),
  )
}

/** Numbers of the database; anything else names no keyword. */
function idOf(text: string): number {
  const id = /^\d{1,10}$/.test(text) ? Number(text) : 0
  if (id < 1 || id > 2_147_483_647) throw new ProblemError('not_found')
  return id
}
