import { queryOptions } from '@tanstack/react-query'
import {
  type ChangeTerms,
  expansionSchema,
  type KeywordTerm,
  type KeywordTerms,
  keywordTermsSchema,
  termsOfKeywordSchema,
} from '#contract/keyword/keyword-term.ts'
import { request } from '../http/client.ts'
import { termKeys } from '../http/keys.ts'
import { queryClient } from '../http/query-client.ts'
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

/** Changes under way, by keyword: each waits for the one before, so that the last tick is the one that stays. */
const underWay = new Map<number, Promise<unknown>>()

/** Ticks and unticks terms of a stored keyword, or adds a user's own. Shown at once; taken back and rejected when refused. */
export async function changeTerms(keywordId: number, change: ChangeTerms): Promise<void> {
  await queryClient.cancelQueries({ queryKey: termKeys.list })
  const before = termsOf(keywordId)
  setTerms(keywordId, (terms) => withChange(terms, change))
  const sent = (underWay.get(keywordId) ?? Promise.resolve()).then(() =>
    request(`organisations/me/keywords/${keywordId}/terms`, {
      method: 'patch',
      json: change,
      schema: termsOfKeywordSchema,
    }),
  )
  const settled = sent.catch(() => undefined)
  underWay.set(keywordId, settled)
  try {
    const { terms } = await sent
    // With another change under way this answer is older than what is shown.
    if (underWay.get(keywordId) === settled) setTerms(keywordId, () => terms)
    followMatching()
  } catch (error) {
    setTerms(keywordId, (terms) => takenBack(terms, before, change))
    throw error
  } finally {
    if (underWay.get(keywordId) === settled) underWay.delete(keywordId)
    // The answer to a question that was cancelled for this one is still wanted.
    if (underWay.size === 0) void queryClient.invalidateQueries({ queryKey: termKeys.list })
  }
}

function termsOf(keywordId: number): readonly KeywordTerm[] {
  const all = queryClient.getQueryData<KeywordTerms>(termKeys.list)
  return all?.keywords.find(({ keyword_id }) => keyword_id === keywordId)?.terms ?? []
}

function setTerms(keywordId: number, turn: (terms: readonly KeywordTerm[]) => KeywordTerm[]): void {
  queryClient.setQueryData<KeywordTerms>(
    termKeys.list,
    (all) =>
      all && {
        ...all,
        keywords: all.keywords.map((one) => (one.keyword_id === keywordId ? { ...one, terms: turn(one.terms) } : one)),
      },
  )
}

/** The terms after a change. What `reset` brings back only the server knows. */
export function withChange(terms: readonly KeywordTerm[], { approve = [], reject = [], add = [] }: ChangeTerms) {
  const own = add
    .filter((term) => terms.every((one) => one.term !== term))
    .map((term): KeywordTerm => {
      return { term, source: 'user', state: 'approved', similarity: 1, facet: 0, title_count: null, samples: [] }
    })
  const known = terms.map((one): KeywordTerm => {
    if (approve.includes(one.term) || add.includes(one.term)) return { ...one, state: 'approved' }
    return reject.includes(one.term) ? { ...one, state: 'rejected' } : one
  })
  return [...known, ...own]
}

/** The terms with what this change touched as it was before; later changes of other terms stay. */
function takenBack(terms: readonly KeywordTerm[], before: readonly KeywordTerm[], change: ChangeTerms): KeywordTerm[] {
  const touched = new Set([...(change.approve ?? []), ...(change.reject ?? []), ...(change.add ?? [])])
  return terms.flatMap((one) => {
    if (!touched.has(one.term)) return [one]
    const old = before.find(({ term, facet }) => term === one.term && facet === one.facet)
    return old ? [old] : []
  })
}
