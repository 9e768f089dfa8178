import { z } from 'zod/mini'
import {
  type ChangeTerms,
  changeTermsSchema,
  type Expansion,
  expandRequestSchema,
  expansionSchema,
  type KeywordTerm,
  type KeywordTerms,
  keywordTermsSchema,
  termsOfKeywordSchema,
} from '#contract/matching/keyword-term.ts'
import { type TermNews, termNewsSchema } from '#contract/matching/term-news.ts'
import { searchForm } from '#contract/thai/thai-text.ts'
import type { Db } from '#server/platform/engine/db.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { changeTerms, isAi, keywordIdOf } from './change-terms.ts'
import { decideTerms } from './decide-terms.ts'
import { expandedTerms, refuseDecision, titleCount } from './expand-words.ts'
import { type Editor, editorOf, type KeywordContext } from './keyword-context.ts'
import { findTerms, type StoredTerm } from './keyword-terms.ts'
import { blacklistText } from './problem-texts.ts'
import { findBlacklist, findLists } from './queries.ts'
import { findSamples } from './recent-titles.ts'
import { refuseField } from './refuse-words.ts'
import { newsOfTerms, renewTerms } from './renew-terms.ts'

const isKnown = (terms: readonly StoredTerm[]) => terms.some(({ source }) => source !== 'literal' && source !== 'user')

async function expansionOf(context: KeywordContext, word: string): Promise<Expansion> {
  const { engine, known, terms } = await context.expand(word)
  return { engine, known, terms: await withSamples(context.db, terms) }
}

/**
 * Returns the terms of every AI keyword. A keyword without stored terms is expanded without storing, and continues to
 * match literally.
 */
async function termsOfAll(context: KeywordContext, organisationId: number): Promise<KeywordTerms> {
  const { db, engine } = context
  const lists = await findLists(db, organisationId)
  const keywords = lists?.keywords.filter(isAi) ?? []
  const stored = await findTerms(
    db,
    keywords.map(({ id }) => id),
  )
  const offered: { keyword_id: number; terms: StoredTerm[] }[] = []
  for (const { id, word } of keywords) {
    offered.push({ keyword_id: id, terms: stored.get(id) ?? (await expandedTerms(context, word)) })
  }
  const samplesOf = await findSamples(
    db,
    offered.flatMap(({ terms }) => terms.map(({ term }) => term)),
  )
  return {
    engine,
    keywords: offered.map(({ keyword_id, terms }) => ({
      keyword_id,
      known: isKnown(terms),
      terms: terms.map((term) => ({ ...term, samples: samplesOf(term.term) })),
    })),
  }
}

/**
 * Returns the term changes of all AI include words. A word without stored terms is always displayed with the current
 * expansion.
 */
async function newsOfAll({ db, today }: KeywordContext, organisationId: number): Promise<TermNews> {
  const lists = await findLists(db, organisationId)
  const keywords = lists?.keywords.filter(({ list }) => list === 'ai_include') ?? []
  const stored = await findTerms(
    db,
    keywords.map(({ id }) => id),
  )
  const found: TermNews['keywords'] = []
  for (const { id, word } of keywords) {
    const own = stored.get(id)
    if (!own) continue
    const news = newsOfTerms(own, await today(word))
    if (news.gained.length + news.lost.length > 0) found.push({ keyword_id: id, ...news })
  }
  return { keywords: found }
}

/**
 * Approves, rejects and adds terms of a stored keyword; returns all terms. Throws ProblemError `not_found` for a
 * foreign keyword.
 */
async function patchTerms(
  context: KeywordContext,
  editor: Editor,
  keywordId: number,
  change: ChangeTerms,
): Promise<KeywordTerms['keywords'][number]> {
  const blacklist = await findBlacklist(context.db)
  const refused = (change.add ?? []).filter((term) => blacklist.has(searchForm(term)))
  if (refused.length > 0) refuseField('add', blacklistText(refused))
  const after = await changeTerms(context, editor, keywordId, {
    needsFresh: change.reset === true || change.renew !== undefined,
    decide: (stored, fresh, list) => {
      const before = change.reset === true ? fresh : (stored ?? fresh)
      // Exclusions use approved terms only, so they have no term changes.
      const renewed = change.renew && list === 'ai_include' ? renewTerms(before, fresh, change.renew) : before
      const decided = decideTerms(renewed, change, titleCount)
      if (!decided.ok) return refuseDecision(decided.problem === 'literal_stays' ? 'reject' : 'add', decided.problem)
      return decided.terms
    },
  })
  return { keyword_id: keywordId, known: isKnown(after), terms: await withSamples(context.db, after) }
}

async function withSamples(db: Db, terms: readonly StoredTerm[]): Promise<KeywordTerm[]> {
  const samplesOf = await findSamples(
    db,
    terms.map(({ term }) => term),
  )
  return terms.map((term) => ({ ...term, samples: samplesOf(term.term) }))
}

const tags = ['watch list']
const config = { feature: 'report' } as const

export function termRoutes(app: RouteApp, context: KeywordContext): void {
  app.get(
    '/organisations/me/keyword-terms',
    { config, schema: { tags, summary: 'The terms of every AI keyword', response: { 200: keywordTermsSchema } } },
    async (request) => {
      const { organisationId } = await context.actorOf(request)
      return termsOfAll(context, organisationId)
    },
  )
  app.get(
    '/organisations/me/keyword-terms/news',
    {
      config,
      schema: {
        tags,
        summary: 'Terms that the engine gives today and did not when the word was saved, and the other way round',
        response: { 200: termNewsSchema },
      },
    },
    async (request) => {
      const { organisationId } = await context.actorOf(request)
      return newsOfAll(context, organisationId)
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
    async (request) =>
      patchTerms(context, await editorOf(context, request), keywordIdOf(request.params.id), request.body),
  )
}
