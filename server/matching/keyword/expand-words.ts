import { KEYWORD_LIST_FACTS } from '#contract/matching/keyword.ts'
import type { NewKeyword } from '#contract/matching/keyword-requests.ts'
import { MAX_TERMS } from '#contract/matching/keyword-term.ts'
import { searchForm } from '#contract/thai/thai-text.ts'
import { termModel } from '#server/matching/meaning/term-model.ts'
import { type DecisionProblem, decideTerms, sidedKey, taughtTerms } from './decide-terms.ts'
import type { KeywordContext } from './keyword-context.ts'
import type { StoredTerm } from './keyword-terms.ts'
import { isAiList, type Listed } from './listed-words.ts'
import { LIST_TEXTS } from './problem-texts.ts'
import { refuseField } from './refuse-words.ts'

export function titleCount(form: string): number | null {
  const model = termModel()
  const id = model.ids.get(form)
  return id === undefined ? null : (model.counts[id] ?? null)
}

export async function expandedTerms({ expand }: Pick<KeywordContext, 'expand'>, word: string): Promise<StoredTerm[]> {
  const { terms } = await expand(word)
  return terms.slice(0, MAX_TERMS).map((term) => ({ ...term }))
}

/** Expands the new AI words, applying decisions made before saving. Not inside a transaction. */
export async function expandEntries<Entry extends Pick<NewKeyword, 'word' | 'approve' | 'reject' | 'lesson'>>(
  context: Pick<KeywordContext, 'expand'>,
  entries: readonly Listed<Entry>[],
): Promise<Map<Entry, StoredTerm[]>> {
  const found = new Map<Entry, StoredTerm[]>()
  for (const { list, entry } of entries) {
    if (!isAiList(list)) continue
    const { word, approve, reject, lesson } = entry
    const fresh = await expandedTerms(context, word)
    const decided = decideTerms(fresh, { approve, reject: withoutWord(reject, word) }, titleCount)
    if (!decided.ok) refuseDecision(KEYWORD_LIST_FACTS[list].payload, decided.problem)
    const turned = new Map(lesson?.turned.map((term) => [sidedKey(term), term.acts]))
    // For exclusions only manual approvals apply.
    const isTaught = turned.size > 0 && list === 'ai_include'
    found.set(entry, isTaught ? taughtTerms(decided.terms, fresh, (term) => turned.get(sidedKey(term))) : decided.terms)
  }
  return found
}

/** Ignores a rejection of the keyword itself, which always acts. */
export function withoutWord(reject: readonly string[] = [], word: string): string[] {
  const literal = searchForm(word)
  return reject.filter((term) => searchForm(term) !== literal)
}

export function refuseDecision(field: string, problem: DecisionProblem): never {
  return refuseField(field, LIST_TEXTS[problem])
}
