import { queryOptions } from '@tanstack/react-query'
import {
  type ChangeTerms,
  expansionSchema,
  type KeywordTerm,
  type KeywordTerms,
  keywordTermsSchema,
  type TermsOfKeyword,
  termsOfKeywordSchema,
} from '#contract/keyword/keyword-term.ts'
import { request } from '../http/client.ts'
import { termKeys } from '../http/keys.ts'
import { defineChange, mutate } from '../optimistic.ts'
import { followMatching } from './matching-progress.ts'

/** The terms of every word of the AI lists. */
export const keywordTermsQuery = queryOptions({
  queryKey: termKeys.list,
  queryFn: ({ signal }) => request('organisations/me/keyword-terms', { schema: keywordTermsSchema, signal }),
  staleTime: 60_000,
})

/** The terms that a word would stand for, before it is saved. The same word gives the same terms, so they are asked for once. */
export const expansionQuery = (word: string) =>
  queryOptions({
    queryKey: termKeys.expansion(word),
    queryFn: ({ signal }) =>
      request('organisations/me/keywords/expand', { method: 'post', json: { word }, schema: expansionSchema, signal }),
    staleTime: 10 * 60_000,
  })

type TermsChange = { readonly keywordId: number; readonly change: ChangeTerms }

const termsMutation = defineChange<TermsChange, TermsOfKeyword>({
  name: 'terms',
  layers: [
    {
      key: termKeys.list,
      apply: (all: KeywordTerms, { keywordId, change }) =>
        withTerms(all, keywordId, (terms) => withChange(terms, change)),
      settle: (all: KeywordTerms, { terms }, { keywordId }) => withTerms(all, keywordId, () => terms),
    },
  ],
  // The last tick of a keyword is the one that stays.
  mustWaitFor: (later, earlier) => later.keywordId === earlier.keywordId,
  tags: () => ['terms'],
  send: ({ keywordId, change }, call) =>
    call(`organisations/me/keywords/${keywordId}/terms`, {
      method: 'patch',
      json: change,
      schema: termsOfKeywordSchema,
    }),
})

/** Ticks and unticks terms of a stored keyword, or adds a user's own. Shown at once; taken back and rejected when refused. */
export async function changeTerms(keywordId: number, change: ChangeTerms): Promise<void> {
  await mutate(termsMutation, { keywordId, change })
  followMatching()
}

function withTerms(
  all: KeywordTerms,
  keywordId: number,
  turn: (terms: readonly KeywordTerm[]) => KeywordTerm[],
): KeywordTerms {
  return {
    ...all,
    keywords: all.keywords.map((one) => (one.keyword_id === keywordId ? { ...one, terms: turn(one.terms) } : one)),
  }
}

/** The terms after a change. What `reset` brings back only the server knows. */
export function withChange(terms: readonly KeywordTerm[], { approve = [], reject = [], add = [] }: ChangeTerms) {
  const own = add
    .filter((term) => terms.every((one) => one.term !== term))
    .map((term): KeywordTerm => {
      return { term, source: 'user', state: 'approved', similarity: 1, facet: 0, title_count: null, samples: [] }
    })
  const known = terms.map((one): KeywordTerm => {
    if (approve.includes(one.term) || add.includes(one.term)) return { ...one, state: 'approved', taught: false }
    return reject.includes(one.term) ? { ...one, state: 'rejected', taught: false } : one
  })
  return [...known, ...own]
}
