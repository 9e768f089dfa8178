import { ProblemError } from '#server/platform/route/route-problem.ts'
import { changeKeywordLists, loadEditableKeywordLists } from './change-keyword-lists.ts'
import { expandWordToTerms } from './expand-keyword-entries.ts'
import type { KeywordListEditingActor, KeywordRouteContext } from './keyword-context.ts'
import { isAiKeywordList } from './keyword-list-entries.ts'
import { buildRematchScopeForTermChanges } from './match-scope.ts'
import type { KeywordListState, StoredKeyword } from './queries.ts'
import { findKeywordTerms, type StoredKeywordTerm, storeKeywordTerms } from './store-terms.ts'

type AiKeyword = StoredKeyword & { readonly list: 'ai_include' | 'ai_exclude' }
export const isAiKeyword = (keyword: StoredKeyword): keyword is AiKeyword => isAiKeywordList(keyword.list)

type TermsDecision = {
  readonly needsFresh?: boolean
  readonly decide: (
    stored: readonly StoredKeywordTerm[] | undefined,
    fresh: readonly StoredKeywordTerm[],
    list: AiKeyword['list'],
  ) => StoredKeywordTerm[]
}

/**
 * Changes the terms of a stored keyword, requests rematching, and returns all its terms. Throws ProblemError
 * `not_found` for a keyword of another organisation, `lists_locked` during closed hours.
 */
export async function changeStoredKeywordTerms(
  context: KeywordRouteContext,
  editor: KeywordListEditingActor,
  keywordId: number,
  { needsFresh = false, decide }: TermsDecision,
): Promise<readonly StoredKeywordTerm[]> {
  const { word } = requireAiKeyword(await loadEditableKeywordLists(context.db, editor), keywordId)
  const fresh = await expandWordToTerms(context, word)
  let after: readonly StoredKeywordTerm[] = []
  await changeKeywordLists(context, editor, async (tx, lists) => {
    const keyword = requireAiKeyword(lists, keywordId)
    const stored = (await findKeywordTerms(tx, [keywordId])).get(keywordId)
    const before = stored ?? literalTerms(fresh)
    // If another user changed the word in the meantime, the expansion belongs to the old word.
    if (keyword.word !== word && (needsFresh || !stored)) throw new ProblemError('not_found')
    after = decide(stored, fresh, keyword.list)
    await storeKeywordTerms(tx, keywordId, after)
    const detail = { did: 'terms', keyword: keyword.word, before: states(before), after: states(after) }
    return { scopes: buildRematchScopeForTermChanges(keyword.list, before, after), detail }
  })
  return after
}

export function requireAiKeyword({ keywords }: Pick<KeywordListState, 'keywords'>, id: number): AiKeyword {
  const keyword = keywords.filter(isAiKeyword).find((candidate) => candidate.id === id)
  if (!keyword) throw new ProblemError('not_found')
  return keyword
}

const literalTerms = (terms: readonly StoredKeywordTerm[]) => terms.filter(({ source }) => source === 'literal')

const states = (terms: readonly StoredKeywordTerm[]) => terms.map(({ term, facet, state }) => ({ term, facet, state }))
