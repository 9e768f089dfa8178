import { keywordCheckSchema } from '#contract/keyword.ts'
import {
  addKeywordsSchema,
  organisationPatchSchema,
  removeKeywordsSchema,
  restoreKeywordsSchema,
} from '#contract/keyword-requests.ts'
import { organisationSchema } from '#contract/organisation.ts'
import type { RouteApp } from '#server/route/route-app.ts'
import { addKeywords, checkKeywords } from './add-keywords.ts'
import { editorOf, type KeywordContext } from './keyword-context.ts'
import { patchLists } from './patch-lists.ts'
import { removeKeywords } from './remove-keywords.ts'
import { restoreKeywords } from './restore-keywords.ts'
import { termRoutes } from './routes-terms.ts'

const tags = ['watch list']
/** Organisations that see only budget years have no lists to edit. */
const config = { feature: 'report' } as const
/** Visitors share the demo's organisation. */
const editing = { ...config, demo: 'demo_read_only' } as const
const response = { 200: organisationSchema }

/** POST, PATCH and DELETE /organisations/me (specification section 7), and what the watch list needs beside them. */
export function keywordRoutes(app: RouteApp, context: KeywordContext): void {
  app.post(
    '/organisations/me',
    { config: editing, schema: { tags, summary: 'Add words; all or none', body: addKeywordsSchema, response } },
    async (request) => addKeywords(context, await editorOf(context, request), request.body),
  )
  app.patch(
    '/organisations/me',
    {
      config: editing,
      schema: {
        tags,
        summary: 'Change words and groups by id, switches, and that the set-up is done; all of the body or nothing',
        body: organisationPatchSchema,
        response,
      },
    },
    async (request) => patchLists(context, await editorOf(context, request), request.body),
  )
  app.delete(
    '/organisations/me',
    {
      config: editing,
      schema: { tags, summary: 'Remove words; needs a body that names some', body: removeKeywordsSchema, response },
    },
    async (request) => removeKeywords(context, await editorOf(context, request), request.body),
  )
  app.post(
    '/organisations/me/keywords/remove',
    {
      config: editing,
      schema: {
        tags,
        summary: 'The same, where a DELETE with a body does not get through',
        body: removeKeywordsSchema,
        response,
      },
    },
    async (request) => removeKeywords(context, await editorOf(context, request), request.body),
  )
  app.post(
    '/organisations/me/keywords/restore',
    {
      config: editing,
      schema: { tags, summary: 'Take a deletion back, within a day', body: restoreKeywordsSchema, response },
    },
    async (request) => restoreKeywords(context, await editorOf(context, request), request.body.ids),
  )
  app.post(
    '/organisations/me/keywords/check',
    {
      config,
      schema: {
        tags,
        summary: 'What adding these words would say, word by word; nothing is stored',
        body: addKeywordsSchema,
        response: { 200: keywordCheckSchema },
      },
    },
    async (request) => {
      const { organisationId } = await context.actorOf(request)
      return checkKeywords(context, organisationId, request.body)
    },
  )
  termRoutes(app, context)
}
