import { z } from 'zod/mini'
import {
  draftKeywordTrainingRequestSchema,
  keywordTrainingActivationSchema,
  keywordTrainingAnswersRequestSchema,
  keywordTrainingSchema,
} from '#contract/matching/keyword-training.ts'
import { applyKeywordTrainingOutcome } from '#server/matching/keyword/apply-term-decisions.ts'
import { changeStoredKeywordTerms } from '#server/matching/keyword/change-stored-keyword-terms.ts'
import { type KeywordRouteContext, requireKeywordListEditingActor } from '#server/matching/keyword/keyword-context.ts'
import { lockOrganisation } from '#server/matching/keyword/queries.ts'
import { storeKeywordTrainingAnswers } from '#server/matching/keyword/store-lesson-answers.ts'
import { parseRowId } from '#server/platform/route/parse-row-id.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { loadDraftKeywordTraining, loadKeywordTraining, presentKeywordTraining } from './open-lesson.ts'
import type { RecentYearProjectTitlesCache } from './year-titles.ts'

const tags = ['watch list']
const config = { feature: 'report' } as const
const params = z.object({ id: z.string() })

type LessonCaller = { readonly organisationId: number; readonly userId: number }

export function keywordTrainingRoutes(
  app: RouteApp,
  context: KeywordRouteContext,
  yearTitles: RecentYearProjectTitlesCache,
): void {
  const loadLesson = async (caller: LessonCaller, keywordId: number) =>
    loadKeywordTraining(context, caller, keywordId, await yearTitles())
  app.post(
    '/organisations/me/keywords/lesson',
    {
      config,
      schema: {
        tags,
        summary:
          'Train an AI keyword that is not saved yet; nothing is stored. Returns the next project title to judge, and the terms that result from the answers in the body',
        body: draftKeywordTrainingRequestSchema,
        response: { 200: keywordTrainingSchema },
      },
    },
    async (request) =>
      presentKeywordTraining(context.db, await loadDraftKeywordTraining(context, request.body, await yearTitles())),
  )
  app.get(
    '/organisations/me/keywords/:id/lesson',
    {
      config,
      schema: {
        tags,
        summary:
          'Get the training state of an AI keyword: the next project title to judge, and the terms that result from the answers so far',
        params,
        response: { 200: keywordTrainingSchema },
      },
    },
    async (request) => {
      return presentKeywordTraining(
        context.db,
        await loadLesson(await context.actorOf(request), parseRowId(request.params.id)),
      )
    },
  )
  app.post(
    '/organisations/me/keywords/:id/lesson',
    {
      // The demo is read-only here, because its visitors share one organisation.
      config: { ...config, demo: 'demo_read_only' },
      schema: {
        tags,
        summary:
          'Record training answers: whether project titles are about the keyword, or undo an answer. The terms of the keyword stay unchanged',
        params,
        body: keywordTrainingAnswersRequestSchema,
        response: { 200: keywordTrainingSchema },
      },
    },
    async (request) => {
      const asking = await context.actorOf(request)
      const { organisationId, userId } = asking
      const keywordId = parseRowId(request.params.id)
      // This query rejects a keyword of another organisation before anything is stored.
      await loadLesson(asking, keywordId)
      const { answers } = request.body
      await context.db.transaction(async (tx) => {
        await lockOrganisation(tx, organisationId)
        await storeKeywordTrainingAnswers(tx, { organisationId, keywordId, userId, at: context.now(), answers })
      })
      return presentKeywordTraining(context.db, await loadLesson(asking, keywordId))
    },
  )
  app.put(
    '/organisations/me/keywords/:id/lesson/terms',
    {
      config: { ...config, demo: 'demo_read_only' },
      schema: {
        tags,
        summary: 'Apply the terms that result from the training answers, or discard applied ones',
        params,
        body: keywordTrainingActivationSchema,
        response: { 200: keywordTrainingSchema },
      },
    },
    async (request) => {
      const editor = await requireKeywordListEditingActor(context, request)
      const keywordId = parseRowId(request.params.id)
      const { terms, learned } = await loadLesson(editor, keywordId)
      const key = ({ facet, term }: { facet: number; term: string }) => `${facet} ${term}`
      const acts = new Map(terms.map((term, index) => [key(term), learned.acts[index]!]))
      const shouldApply = request.body.in_force
      await changeStoredKeywordTerms(context, editor, keywordId, {
        needsFresh: true,
        decide: (stored, fresh) =>
          applyKeywordTrainingOutcome(stored ?? fresh, fresh, shouldApply ? (term) => acts.get(key(term)) : undefined),
      })
      return presentKeywordTraining(context.db, await loadLesson(editor, keywordId))
    },
  )
}
