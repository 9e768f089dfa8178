import { ProblemError } from '#server/platform/route/route-problem.ts'
import { changeLists, findOpenLists } from './change-lists.ts'
import { expandWord } from './expand-words.ts'
import type { KeywordContext, ListEditor } from './keyword-context.ts'
import { isAiList } from './listed-words.ts'
import { scopeOfTerms } from './match-scope.ts'
import type { ListState, StoredKeyword } from './queries.ts'
import { findTerms, type StoredTerm, storeTerms } from './store-terms.ts'

type AiKeyword = StoredKeyword & { readonly list: 'ai_include' | 'ai_exclude' }
export const isAiKeyword = (keyword: StoredKeyword): keyword is AiKeyword => isAiList(keyword.list)

type TermsDecision = {
  readonly needsFresh?: boolean
  readonly decide: (
    stored: readonly StoredTerm[] | undefined,
    fresh: readonly StoredTerm[],
    list: AiKeyword['list'],
  ) => StoredTerm[]
}

/**
 * Changes the terms of a stored keyword, requests rematching, and returns all its terms. Throws ProblemError
 * `not_found` for a keyword of another organisation, `lists_locked` in the locked window.
 */
export async function changeTerms(
  context: KeywordContext,
  editor: ListEditor,
  keywordId: number,
  { needsFresh = false, decide }: TermsDecision,
): Promise<readonly StoredTerm[]> {
  const { word } = requireAiKeyword(await findOpenLists(context.db, editor), keywordId)
  const fresh = await expandWord(context, word)
  let after: readonly StoredTerm[] = []
  await changeLists(context, editor, async (tx, lists) => {
    const keyword = requireAiKeyword(lists, keywordId)
    const stored = (await findTerms(tx, [keywordId])).get(keywordId)
    const before = stored ?? literalTerms(fresh)
    // Another user changed the word in the meantime, so the expansion belongs to the old word.
    if (keyword.word !== word && (needsFresh || !stored)) throw new ProblemError('not_found')
    after = decide(stored, fresh, keyword.list)
    await storeTerms(tx, keywordId, after)
    const detail = { did: 'terms', keyword: keyword.word, before: states(before), after: states(after) }
    return { scopes: scopeOfTerms(keyword.list, before, after), detail }
  })
  return after
}

export function requireAiKeyword({ keywords }: Pick<ListState, 'keywords'>, id: number): AiKeyword {
  const keyword = keywords.filter(isAiKeyword).find((candidate) => candidate.id === id)
  if (!keyword) throw new ProblemError('not_found')
  return keyword
}

const literalTerms = (terms: readonly StoredTerm[]) => terms.filter(({ source }) => source === 'literal')

const states = (terms: readonly StoredTerm[]) => terms.map(({ term, facet, state }) => ({ term, facet, state }))

export function parseKeywordId(text: string): number {
  const id = /^\d{1,10}$/.test(text) ? Number(text) : 0
  if (id < 1 || id > 2_147_483_647) throw new ProblemError('not_found')
  return id
}
