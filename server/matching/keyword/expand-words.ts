import { KEYWORD_LIST_RULES } from '#contract/matching/keyword.ts'
import type { NewKeyword } from '#contract/matching/keyword-requests.ts'
import { MAX_TERMS_PER_KEYWORD } from '#contract/matching/keyword-term.ts'
import { toSearchForm } from '#contract/thai/thai-text.ts'
import { loadDefaultTermModel } from '#server/matching/meaning/term-model.ts'
import { applyAnswers, type DecisionProblem, decideTerms, facetTermKey } from './decide-terms.ts'
import type { KeywordContext } from './keyword-context.ts'
import { KEYWORD_LIST_TEXTS } from './keyword-problem-texts.ts'
import { isAiList, type ListedEntry } from './listed-words.ts'
import { rejectField } from './refuse-words.ts'
import type { StoredTerm } from './store-terms.ts'

export function countVocabularyTitles(form: string): number | null {
  const model = loadDefaultTermModel()
  const id = model.ids.get(form)
  return id === undefined ? null : (model.counts[id] ?? null)
}

export async function expandWord({ expand }: Pick<KeywordContext, 'expand'>, word: string): Promise<StoredTerm[]> {
  const { terms } = await expand(word)
  return terms.slice(0, MAX_TERMS_PER_KEYWORD).map((term) => ({ ...term }))
}

/** Expands the new AI words and applies decisions made before saving. Call outside a transaction. */
export async function expandEntries<Entry extends Pick<NewKeyword, 'word' | 'approve' | 'reject' | 'lesson'>>(
  context: Pick<KeywordContext, 'expand'>,
  entries: readonly ListedEntry<Entry>[],
): Promise<Map<Entry, StoredTerm[]>> {
  const termsByEntry = new Map<Entry, StoredTerm[]>()
  for (const { list, entry } of entries) {
    if (!isAiList(list)) continue
    const { word, approve, reject, lesson } = entry
    const fresh = await expandWord(context, word)
    const decided = decideTerms(fresh, { approve, reject: omitWord(reject, word) }, countVocabularyTitles)
    if (!decided.ok) rejectDecision(KEYWORD_LIST_RULES[list].payload, decided.problem)
    const turned = new Map(lesson?.turned.map((term) => [facetTermKey(term), term.acts]))
    // Exclusions use manual approvals only.
    const isTaught = turned.size > 0 && list === 'ai_include'
    termsByEntry.set(
      entry,
      isTaught ? applyAnswers(decided.terms, fresh, (term) => turned.get(facetTermKey(term))) : decided.terms,
    )
  }
  return termsByEntry
}

export function omitWord(reject: readonly string[] = [], word: string): string[] {
  const literal = toSearchForm(word)
  return reject.filter((term) => toSearchForm(term) !== literal)
}

export function rejectDecision(field: string, problem: DecisionProblem): never {
  return rejectField(field, KEYWORD_LIST_TEXTS[problem])
}
