import { queryOptions } from '@tanstack/react-query'
import {
  type ChangeTerms,
  expansionSchema,
  type KeywordTerm,
  type KeywordTerms,
  keywordTermsSchema,
  type TermsOfKeyword,
  termsOfKeywordSchema,
} from '#contract/matching/keyword-term.ts'
import { type NewsTerm, type TermNews, termNewsSchema } from '#contract/matching/term-news.ts'
import { request } from '#src/api/http/client.ts'
import { termKeys } from '#src/api/http/keys.ts'
import { defineChange, mutate } from '#src/api/optimistic.ts'
import { followMatching } from './matching-progress.ts'

type Sided = Pick<KeywordTerm, 'term' | 'facet'>

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

/** What today's engine makes otherwise of words that let projects in. */
export const termNewsQuery = queryOptions({
  queryKey: termKeys.news,
  queryFn: ({ signal }) => request('organisations/me/keyword-terms/news', { schema: termNewsSchema, signal }),
  staleTime: 5 * 60_000,
})

type TermsChange = {
  readonly keywordId: number
  readonly change: ChangeTerms
  /** Terms that the word gets by it. */
  readonly gained?: readonly NewsTerm[]
}

const termsMutation = defineChange<TermsChange, TermsOfKeyword>({
  name: 'terms',
  layers: [
    {
      key: termKeys.list,
      apply: (all: KeywordTerms, { keywordId, change, gained }) =>
        withTerms(all, keywordId, (terms) => withChange(terms, change, gained)),
      settle: (all: KeywordTerms, { terms }, { keywordId }) => withTerms(all, keywordId, () => terms),
    },
    {
      // What was taken back the server tells of again.
      key: termKeys.news,
      apply: (news: TermNews, { keywordId, change }) => withoutNews(news, keywordId, change.renew),
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

/** Ticks and unticks terms of a stored keyword, adds a user's own, or takes what is new. Shown at once; taken back and rejected when refused. */
export async function changeTerms(
  keywordId: number,
  change: ChangeTerms,
  gained: readonly NewsTerm[] = [],
): Promise<void> {
  await mutate(termsMutation, { keywordId, change, gained })
  followMatching()
}

const isAmong = (terms: readonly Sided[] | undefined, { term, facet }: Sided) =>
  terms?.some((one) => one.term === term && one.facet === facet) === true

function withoutNews(
  { keywords }: TermNews,
  keywordId: number,
  { take, leave }: NonNullable<ChangeTerms['renew']> = {},
): TermNews {
  const stays = (term: NewsTerm) => !isAmong(take, term) && !isAmong(leave, term)
  return {
    keywords: keywords.map((one) =>
      one.keyword_id === keywordId ? { ...one, gained: one.gained.filter(stays), lost: one.lost.filter(stays) } : one,
    ),
  }
}

/** What an open term becomes when it is taken or left, and a decided one when that is taken back. */
const TAKEN = { auto: 'suggested', suggested: 'auto' } as const
const LEFT = { auto: 'approved', suggested: 'rejected' } as const
const BACK = { ...TAKEN, approved: 'auto', rejected: 'suggested' } as const

function withRenewal(
  terms: readonly KeywordTerm[],
  { take, leave, back }: NonNullable<ChangeTerms['renew']>,
  gained: readonly NewsTerm[],
): KeywordTerm[] {
  const turned = terms.map((term): KeywordTerm => {
    if (isAmong(back, term)) return { ...term, state: BACK[term.state] }
    if (term.state !== 'auto' && term.state !== 'suggested') return term
    const state = isAmong(take, term) ? TAKEN[term.state] : isAmong(leave, term) ? LEFT[term.state] : term.state
    return { ...term, state }
  })
  const added = gained.filter((term) => isAmong(take, term) && !isAmong(terms, term))
  return [...turned, ...added.map((term) => ({ ...term, samples: [] }))]
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
export function withChange(
  before: readonly KeywordTerm[],
  { approve = [], reject = [], add = [], renew }: ChangeTerms,
  gained: readonly NewsTerm[] = [],
) {
  const terms = renew ? withRenewal(before, renew, gained) : before
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
