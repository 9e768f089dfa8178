import { keepPreviousData } from '@tanstack/react-query'
import {
  type KeywordTerm,
  type KeywordTermSelection,
  type KeywordTerms,
  type KeywordWithTerms,
  keywordTermExpansionSchema,
  keywordTermsSchema,
  keywordWithTermsSchema,
} from '#contract/matching/keyword-term.ts'
import {
  type ChangedKeywordTerm,
  type KeywordTermChangesResponse,
  keywordTermChangesResponseSchema,
} from '#contract/matching/term-changes.ts'
import { type KeywordTermEvidenceRequest, keywordTermEvidenceResponseSchema } from '#contract/matching/term-evidence.ts'
import { apiQueryOptions } from '#src/api/http/api-query-options.ts'
import { keywordTermKeys } from '#src/api/http/keys.ts'
import { defineOptimisticChange, runOptimisticChange } from '#src/api/optimistic-changes.ts'
import { pollMatchingProgress } from './matching-progress.ts'

type FacetTerm = Pick<KeywordTerm, 'term' | 'facet'>

export const keywordTermsQuery = apiQueryOptions('organisations/me/keyword-terms', {
  queryKey: keywordTermKeys.list,
  schema: keywordTermsSchema,
  staleTime: 60_000,
})

/** Loads the terms of a word before it is saved. Deterministic per word, so cached for long. */
export const keywordExpansionQuery = (word: string) =>
  apiQueryOptions('organisations/me/keywords/expand', {
    queryKey: ['keyword-terms', 'expansion', word],
    json: { word },
    schema: keywordTermExpansionSchema,
    staleTime: 10 * 60_000,
  })

export const keywordTermChangesQuery = apiQueryOptions('organisations/me/keyword-terms/news', {
  queryKey: keywordTermKeys.news,
  schema: keywordTermChangesResponseSchema,
  staleTime: 5 * 60_000,
})

type TermsChange = {
  readonly keywordId: number
  readonly change: KeywordTermSelection
  readonly gained?: readonly ChangedKeywordTerm[]
}

const termsMutation = defineOptimisticChange<TermsChange, KeywordWithTerms>({
  name: 'terms',
  layers: [
    {
      key: keywordTermKeys.list,
      apply: (all: KeywordTerms, { keywordId, change, gained }) =>
        withTerms(all, keywordId, (terms) => applyKeywordTermChange(terms, change, gained)),
      settle: (all: KeywordTerms, { terms }, { keywordId }) => withTerms(all, keywordId, () => terms),
    },
    {
      // After an undo the server lists the proposals again, so this entry is invalidated.
      key: keywordTermKeys.news,
      apply: (changes: KeywordTermChangesResponse, { keywordId, change }) =>
        withoutAnswered(changes, keywordId, change.renew),
    },
  ],
  // The last decision about a keyword wins, so send its changes in order.
  mustWaitFor: (later, earlier) => later.keywordId === earlier.keywordId,
  tags: () => ['terms'],
  send: ({ keywordId, change }, call) =>
    call(`organisations/me/keywords/${keywordId}/terms`, {
      method: 'patch',
      json: change,
      schema: keywordWithTermsSchema,
    }),
})

/** Optimistic: if the server refuses, the change is rolled back and the promise rejects. */
export async function changeKeywordTerms(
  keywordId: number,
  change: KeywordTermSelection,
  gained: readonly ChangedKeywordTerm[] = [],
): Promise<void> {
  await runOptimisticChange(termsMutation, { keywordId, change, gained })
  pollMatchingProgress()
}

const isAmong = (terms: readonly FacetTerm[] | undefined, { term, facet }: FacetTerm) =>
  terms?.some((other) => other.term === term && other.facet === facet) === true

function withoutAnswered(
  { keywords }: KeywordTermChangesResponse,
  keywordId: number,
  { take, leave }: NonNullable<KeywordTermSelection['renew']> = {},
): KeywordTermChangesResponse {
  const isUnanswered = (term: ChangedKeywordTerm) => !isAmong(take, term) && !isAmong(leave, term)
  return {
    keywords: keywords.map((keyword) =>
      keyword.keyword_id === keywordId
        ? { ...keyword, gained: keyword.gained.filter(isUnanswered), lost: keyword.lost.filter(isUnanswered) }
        : keyword,
    ),
  }
}

/** New states of an open term when a proposal is accepted or declined, and of a decided term when that is undone. */
const ACCEPTED = { auto: 'suggested', suggested: 'auto' } as const
const DECLINED = { auto: 'approved', suggested: 'rejected' } as const
const UNDONE = { ...ACCEPTED, approved: 'auto', rejected: 'suggested' } as const

function withRenewal(
  terms: readonly KeywordTerm[],
  { take, leave, back }: NonNullable<KeywordTermSelection['renew']>,
  gained: readonly ChangedKeywordTerm[],
): KeywordTerm[] {
  const turned = terms.map((term): KeywordTerm => {
    if (isAmong(back, term)) return { ...term, state: UNDONE[term.state] }
    if (term.state !== 'auto' && term.state !== 'suggested') return term
    const state = isAmong(take, term) ? ACCEPTED[term.state] : isAmong(leave, term) ? DECLINED[term.state] : term.state
    return { ...term, state }
  })
  const added = gained.filter((term) => isAmong(take, term) && !isAmong(terms, term))
  return [...turned, ...added.map((term) => ({ ...term, samples: [] }))]
}

function withTerms(
  all: KeywordTerms,
  keywordId: number,
  update: (terms: readonly KeywordTerm[]) => KeywordTerm[],
): KeywordTerms {
  return {
    ...all,
    keywords: all.keywords.map((keyword) =>
      keyword.keyword_id === keywordId ? { ...keyword, terms: update(keyword.terms) } : keyword,
    ),
  }
}

/** Returns the terms after the change. The effect of `reset` is known only to the server. */
export function applyKeywordTermChange(
  before: readonly KeywordTerm[],
  { approve = [], reject = [], add = [], renew }: KeywordTermSelection,
  gained: readonly ChangedKeywordTerm[] = [],
) {
  const terms = renew ? withRenewal(before, renew, gained) : before
  const addedTerms = add
    .filter((term) => terms.every((existing) => existing.term !== term))
    .map((term): KeywordTerm => {
      return { term, source: 'user', state: 'approved', similarity: 1, facet: 0, title_count: null, samples: [] }
    })
  const updated = terms.map((existing): KeywordTerm => {
    if (approve.includes(existing.term) || add.includes(existing.term))
      return { ...existing, state: 'approved', taught: false }
    return reject.includes(existing.term) ? { ...existing, state: 'rejected', taught: false } : existing
  })
  return [...updated, ...addedTerms]
}

/** Loads the titles that each term adds to those of the other terms. Old figures remain while new ones load. */
export const keywordTermEvidenceQuery = (terms: KeywordTermEvidenceRequest['terms']) =>
  apiQueryOptions('organisations/me/keywords/evidence', {
    queryKey: [
      'keyword-evidence',
      terms.map(({ term, facet, acts }) => `${facet}${acts ? '+' : '-'}${term}`).join('|'),
    ],
    json: { terms },
    schema: keywordTermEvidenceResponseSchema,
    placeholderData: keepPreviousData,
    staleTime: 10 * 60_000,
  })
