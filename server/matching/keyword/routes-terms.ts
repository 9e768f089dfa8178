import { z } from 'zod/mini'
import {
  expandKeywordRequestSchema,
  type KeywordTerm,
  type KeywordTermExpansion,
  type KeywordTermSelection,
  type KeywordTerms,
  keywordTermExpansionSchema,
  keywordTermSelectionSchema,
  keywordTermsSchema,
  keywordWithTermsSchema,
} from '#contract/matching/keyword-term.ts'
import { type KeywordTermChangesResponse, keywordTermChangesResponseSchema } from '#contract/matching/term-changes.ts'
import { toNormalisedSearchText } from '#contract/thai/thai-text.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { parseRowId } from '#server/platform/route/parse-row-id.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { applyKeywordTermDecisions } from './apply-term-decisions.ts'
import { throwKeywordFieldError } from './assert-no-word-problems.ts'
import { changeStoredKeywordTerms, isAiKeyword } from './change-stored-keyword-terms.ts'
import { applyChangedKeywordTerms, findChangedKeywordTerms } from './changed-terms.ts'
import {
  countTitlesWithVocabularyUnit,
  expandWordToTerms,
  throwKeywordTermDecisionError,
} from './expand-keyword-entries.ts'
import {
  type KeywordListEditingActor,
  type KeywordRouteContext,
  requireKeywordListEditingActor,
} from './keyword-context.ts'
import { formatKeywordBlacklistText } from './keyword-problem-texts.ts'
import { findBlacklistedWords, findKeywordLists } from './queries.ts'
import { createExampleTitleFinder } from './recent-titles.ts'
import { findKeywordTerms, type StoredKeywordTerm } from './store-terms.ts'

const hasLearnedTerms = (terms: readonly StoredKeywordTerm[]) =>
  terms.some(({ source }) => source !== 'literal' && source !== 'user')

async function previewExpansion(context: KeywordRouteContext, word: string): Promise<KeywordTermExpansion> {
  const { engine, known: isKnown, terms } = await context.expand(word)
  return { engine, known: isKnown, terms: await withSamples(context.db, terms) }
}

/**
 * Returns the terms of every AI keyword. A keyword without stored terms is expanded without storing the result, and
 * still matches literally.
 */
async function loadAllTerms(context: KeywordRouteContext, organisationId: number): Promise<KeywordTerms> {
  const { db, engine } = context
  const lists = await findKeywordLists(db, organisationId)
  const keywords = lists?.keywords.filter(isAiKeyword) ?? []
  const stored = await findKeywordTerms(
    db,
    keywords.map(({ id }) => id),
  )
  const offered: { keyword_id: number; terms: StoredKeywordTerm[] }[] = []
  for (const { id, word } of keywords) {
    offered.push({ keyword_id: id, terms: stored.get(id) ?? (await expandWordToTerms(context, word)) })
  }
  const samplesOf = await createExampleTitleFinder(
    db,
    offered.flatMap(({ terms }) => terms.map(({ term }) => term)),
  )
  return {
    engine,
    keywords: offered.map(({ keyword_id, terms }) => ({
      keyword_id,
      known: hasLearnedTerms(terms),
      terms: terms.map((term) => ({ ...term, samples: samplesOf(term.term) })),
    })),
  }
}

async function loadTermChanges(
  { db, defaultTerms }: KeywordRouteContext,
  organisationId: number,
): Promise<KeywordTermChangesResponse> {
  const lists = await findKeywordLists(db, organisationId)
  const keywords = lists?.keywords.filter(({ list }) => list === 'ai_include') ?? []
  const stored = await findKeywordTerms(
    db,
    keywords.map(({ id }) => id),
  )
  const changedKeywords: KeywordTermChangesResponse['keywords'] = []
  for (const { id, word } of keywords) {
    const storedTerms = stored.get(id)
    if (!storedTerms) continue
    const changes = findChangedKeywordTerms(storedTerms, await defaultTerms(word))
    if (changes.gained.length + changes.lost.length > 0) changedKeywords.push({ keyword_id: id, ...changes })
  }
  return { keywords: changedKeywords }
}

async function patchTerms(
  context: KeywordRouteContext,
  editor: KeywordListEditingActor,
  keywordId: number,
  change: KeywordTermSelection,
): Promise<KeywordTerms['keywords'][number]> {
  const blacklist = await findBlacklistedWords(context.db)
  const refused = (change.add ?? []).filter((term) => blacklist.has(toNormalisedSearchText(term)))
  if (refused.length > 0) throwKeywordFieldError('add', formatKeywordBlacklistText(refused))
  const after = await changeStoredKeywordTerms(context, editor, keywordId, {
    needsFresh: change.reset === true || change.renew !== undefined,
    decide: (stored, fresh, list) => {
      const before = change.reset === true ? fresh : (stored ?? fresh)
      const renewed =
        change.renew && list === 'ai_include' ? applyChangedKeywordTerms(before, fresh, change.renew) : before
      const decided = applyKeywordTermDecisions(renewed, change, countTitlesWithVocabularyUnit)
      if (!decided.ok)
        return throwKeywordTermDecisionError(decided.problem === 'literal_stays' ? 'reject' : 'add', decided.problem)
      return decided.terms
    },
  })
  return { keyword_id: keywordId, known: hasLearnedTerms(after), terms: await withSamples(context.db, after) }
}

async function withSamples(db: Db, terms: readonly StoredKeywordTerm[]): Promise<KeywordTerm[]> {
  const samplesOf = await createExampleTitleFinder(
    db,
    terms.map(({ term }) => term),
  )
  return terms.map((term) => ({ ...term, samples: samplesOf(term.term) }))
}

const tags = ['watch list']
const config = { feature: 'report' } as const

export function keywordTermRoutes(app: RouteApp, context: KeywordRouteContext): void {
  app.get(
    '/organisations/me/keyword-terms',
    { config, schema: { tags, summary: 'List the terms of every AI keyword', response: { 200: keywordTermsSchema } } },
    async (request) => {
      const { organisationId } = await context.actorOf(request)
      return loadAllTerms(context, organisationId)
    },
  )
  app.get(
    '/organisations/me/keyword-terms/news',
    {
      config,
      schema: {
        tags,
        summary:
          'List how the suggested terms of AI keywords have changed since they were saved. These are terms that the engine returns today but not when the keyword was saved, and vice versa',
        response: { 200: keywordTermChangesResponseSchema },
      },
    },
    async (request) => {
      const { organisationId } = await context.actorOf(request)
      return loadTermChanges(context, organisationId)
    },
  )
  app.post(
    '/organisations/me/keywords/expand',
    {
      config,
      schema: {
        tags,
        summary: 'Get the terms of a word before it is saved',
        body: expandKeywordRequestSchema,
        response: { 200: keywordTermExpansionSchema },
      },
    },
    async (request) => previewExpansion(context, request.body.word),
  )
  app.patch(
    '/organisations/me/keywords/:id/terms',
    {
      config: { ...config, demo: 'demo_read_only' },
      schema: {
        tags,
        summary: 'Select, deselect and add terms of an AI keyword',
        params: z.object({ id: z.string() }),
        body: keywordTermSelectionSchema,
        response: { 200: keywordWithTermsSchema },
      },
    },
    async (request) =>
      patchTerms(
        context,
        await requireKeywordListEditingActor(context, request),
        parseRowId(request.params.id),
        request.body,
      ),
  )
}
