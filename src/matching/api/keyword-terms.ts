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

export const keywordTermsQuery = queryOptions({
  queryKey: termKeys.list,
  queryFn: ({ signal }) => request('organisations/me/keyword-terms', { schema: keywordTermsSchema, signal }),
  staleTime: 60_000,
})

/** Terms of a word before it is saved. Deterministic per word, so cached for long. */
export const expansionQuery = (word: string) =>
  queryOptions({
    queryKey: termKeys.expansion(word),
    queryFn: ({ signal }) =>
      request('organisations/me/keywords/expand', { method: 'post', json: { word }, schema: expansionSchema, signal }),
    staleTime: 10 * 60_000,
  })

/** Term changes that the current engine proposes for include words. */
export const termNewsQuery = queryOptions({
  queryKey: termKeys.news,
  queryFn: ({ signal }) => request('organisations/me/keyword-terms/news', { schema: termNewsSchema, signal }),
  staleTime: 5 * 60_000,
})

type TermsChange = {
  readonly keywordId: number
  readonly change: ChangeTerms
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
      // After an undo the server lists the proposals again.
      key: termKeys.news,
      apply: (news: TermNews, { keywordId, change }) => withoutNews(news, keywordId, change.renew),
    },
  ],
  // The last tick of a keyword wins, so its changes are sent in order.
  mustWaitFor: (later, earlier) => later.keywordId === earlier.keywordId,
  tags: () => ['terms'],
  send: ({ keywordId, change }, call) =>
    call(`organisations/me/keywords/${keywordId}/terms`, {
      method: 'patch',
      json: change,
      schema: termsOfKeywordSchema,
    }),
})

/**
 * Ticks, unticks, adds or renews terms of a stored keyword. Optimistic; rolled back and rejected when the server
 * refuses.
 */
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

/** New states of an open term when a proposal is accepted or declined, and of a decided term when that is undone. */
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

/** Returns the terms after a change. The result of `reset` is known only to the server. */
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
