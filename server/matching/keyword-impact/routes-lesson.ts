import { z } from 'zod/mini'
import { answerLessonSchema, draftLessonSchema, lessonSchema, takeLessonSchema } from '#contract/matching/lesson.ts'
import { changeTerms, keywordIdOf } from '#server/matching/keyword/change-terms.ts'
import { taughtTerms } from '#server/matching/keyword/decide-terms.ts'
import { editorOf, type KeywordContext } from '#server/matching/keyword/keyword-context.ts'
import { storeAnswers } from '#server/matching/keyword/lesson-answers.ts'
import { lockOrganisation } from '#server/matching/keyword/queries.ts'
import { loadRules } from '#server/matching/queries.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { openDraftLesson, openLesson, presentLesson } from './lesson.ts'
import type { YearTitlesCache } from './year-titles.ts'

const tags = ['watch list']
const config = { feature: 'report' } as const
const params = z.object({ id: z.string() })

type Asking = { readonly organisationId: number; readonly userId: number }

export function lessonRoutes(app: RouteApp, context: KeywordContext, yearTitles: YearTitlesCache): void {
  const askerOf = async ({ organisationId, userId }: Asking) => {
    const [rules] = await loadRules(context.db, organisationId)
    return { organisationId, userId, isSampleOnly: rules?.is_sample_only === true }
  }
  const open = async (asking: Asking, keywordId: number) =>
    openLesson(context, await askerOf(asking), keywordId, await yearTitles())
  app.post(
    '/organisations/me/keywords/lesson',
    {
      config,
      schema: {
        tags,
        summary: 'The lesson of a word that is not saved yet, after the answers so far; nothing is stored',
        body: draftLessonSchema,
        response: { 200: lessonSchema },
      },
    },
    async (request) => {
      const asker = await askerOf(await context.actorOf(request))
      return presentLesson(context.db, await openDraftLesson(context, asker, request.body, await yearTitles()))
    },
  )
  app.get(
    '/organisations/me/keywords/:id/lesson',
    {
      config,
      schema: {
        tags,
        summary: 'The next title to be judged, and which terms of the word follow from the answers so far',
        params,
        response: { 200: lessonSchema },
      },
    },
    async (request) => {
      return presentLesson(context.db, await open(await context.actorOf(request), keywordIdOf(request.params.id)))
    },
  )
  app.post(
    '/organisations/me/keywords/:id/lesson',
    {
      // Visitors share the demo's organisation.
      config: { ...config, demo: 'demo_read_only' },
      schema: {
        tags,
        summary: 'Says of titles whether they are about the word, or takes that back; terms stay as they are',
        params,
        body: answerLessonSchema,
        response: { 200: lessonSchema },
      },
    },
    async (request) => {
      const asking = await context.actorOf(request)
      const { organisationId, userId } = asking
      const keywordId = keywordIdOf(request.params.id)
      // Rejects a foreign keyword before anything is stored.
      await open(asking, keywordId)
      const { answers } = request.body
      await context.db.transaction(async (tx) => {
        await lockOrganisation(tx, organisationId)
        await storeAnswers(tx, { organisationId, keywordId, userId, at: context.now(), answers })
      })
      return presentLesson(context.db, await open(asking, keywordId))
    },
  )
  app.put(
    '/organisations/me/keywords/:id/lesson/terms',
    {
      config: { ...config, demo: 'demo_read_only' },
      schema: {
        tags,
        summary: 'Takes over the terms that follow from the answers, or forgets those that were taken over',
        params,
        body: takeLessonSchema,
        response: { 200: lessonSchema },
      },
    },
    async (request) => {
      const editor = await editorOf(context, request)
      const keywordId = keywordIdOf(request.params.id)
      const { terms, learned } = await open(editor, keywordId)
      const key = ({ facet, term }: { facet: number; term: string }) => `${facet} ${term}`
      const acts = new Map(terms.map((term, index) => [key(term), learned.acts[index]!]))
      const takes = request.body.in_force
      await changeTerms(context, editor, keywordId, {
        needsFresh: true,
        decide: (stored, fresh) =>
          taughtTerms(stored ?? fresh, fresh, takes ? (term) => acts.get(key(term)) : undefined),
      })
      return presentLesson(context.db, await open(editor, keywordId))
    },
  )
}
