import { KEYWORD_LIST_FACTS } from '#contract/keyword/keyword.ts'
import { MAX_TERMS } from '#contract/keyword/keyword-term.ts'
import { searchForm } from '#contract/thai/thai-text.ts'
import { termModel } from '#server/meaning/term-model.ts'
import { type Decision, type DecisionProblem, decideTerms } from './decide-terms.ts'
import type { KeywordContext } from './keyword-context.ts'
import type { StoredTerm } from './keyword-terms.ts'
import { isAiList, type Listed } from './listed-words.ts'
import { LIST_TEXTS } from './problem-texts.ts'
import { refuseField } from './refuse-words.ts'

/** Titles that the model learned from and that hold this term. */
export function titleCount(form: string): number | null {
  const model = termModel()
  const id = model.ids.get(form)
  return id === undefined ? null : (model.counts[id] ?? null)
}

/** What a word stands for, ready to be stored. */
export async function expandedTerms({ expand }: Pick<KeywordContext, 'expand'>, word: string): Promise<StoredTerm[]> {
  const { terms } = await expand(word)
  return terms.slice(0, MAX_TERMS).map((term) => ({ ...term }))
}

/** Terms of each new word of an AI list, by entry, with what was ticked before it was saved. Not inside a transaction. */
export async function expandEntries<Entry extends { readonly word: string } & Decision>(
  context: Pick<KeywordContext, 'expand'>,
  entries: readonly Listed<Entry>[],
): Promise<Map<Entry, StoredTerm[]>> {
  const found = new Map<Entry, StoredTerm[]>()
  for (const { list, entry } of entries) {
    if (!isAiList(list)) continue
    const literal = searchForm(entry.word)
    // Unticking the keyword itself before it is saved means nothing: it would then not be saved.
    const reject = (entry.reject ?? []).filter((term) => searchForm(term) !== literal)
    const decided = decideTerms(await expandedTerms(context, entry.word), { ...entry, reject }, titleCount)
    if (!decided.ok) refuseDecision(KEYWORD_LIST_FACTS[list].payload, decided.problem)
    found.set(entry, decided.terms)
  }
  return found
}

export function refuseDecision(field: string, problem: DecisionProblem): never {
  return refuseField(field, LIST_TEXTS[problem])
}
