import { KEYWORD_LIST_RULES } from '#contract/matching/keyword.ts'
import type { NewKeyword } from '#contract/matching/keyword-requests.ts'
import { MAX_TERMS_PER_KEYWORD } from '#contract/matching/keyword-term.ts'
import { toNormalisedSearchText } from '#contract/thai/thai-text.ts'
import { loadDefaultTermModel } from '#server/matching/meaning/term-model.ts'
import {
  applyKeywordTermDecisions,
  applyKeywordTrainingOutcome,
  type KeywordTermDecisionProblem,
  toConceptTermKey,
} from './apply-term-decisions.ts'
import { throwKeywordFieldError } from './assert-no-word-problems.ts'
import type { KeywordRouteContext } from './keyword-context.ts'
import { isAiKeywordList, type KeywordListEntry } from './keyword-list-entries.ts'
import { KEYWORD_LIST_ERROR_TEXTS } from './keyword-problem-texts.ts'
import type { StoredKeywordTerm } from './store-terms.ts'

export function countTitlesWithVocabularyUnit(form: string): number | null {
  const model = loadDefaultTermModel()
  const id = model.ids.get(form)
  return id === undefined ? null : (model.counts[id] ?? null)
}

export async function expandWordToTerms(
  { expand }: Pick<KeywordRouteContext, 'expand'>,
  word: string,
): Promise<StoredKeywordTerm[]> {
  const { terms } = await expand(word)
  return terms.slice(0, MAX_TERMS_PER_KEYWORD).map((term) => ({ ...term }))
}

/** Expands the new AI words and applies decisions made before saving. Call outside a transaction. */
export async function expandKeywordEntries<Entry extends Pick<NewKeyword, 'word' | 'approve' | 'reject' | 'lesson'>>(
  context: Pick<KeywordRouteContext, 'expand'>,
  entries: readonly KeywordListEntry<Entry>[],
): Promise<Map<Entry, StoredKeywordTerm[]>> {
  const termsByEntry = new Map<Entry, StoredKeywordTerm[]>()
  for (const { list, entry } of entries) {
    if (!isAiKeywordList(list)) continue
    const { word, approve, reject, lesson } = entry
    const fresh = await expandWordToTerms(context, word)
    const decided = applyKeywordTermDecisions(
      fresh,
      { approve, reject: omitKeywordFromRejectedTerms(reject, word) },
      countTitlesWithVocabularyUnit,
    )
    if (!decided.ok) throwKeywordTermDecisionError(KEYWORD_LIST_RULES[list].payload, decided.problem)
    const turned = new Map(lesson?.turned.map((term) => [toConceptTermKey(term), term.acts]))
    // The outcome of a lesson applies only to include words; exclusions use manual approvals alone.
    const isTaught = turned.size > 0 && list === 'ai_include'
    termsByEntry.set(
      entry,
      isTaught
        ? applyKeywordTrainingOutcome(decided.terms, fresh, (term) => turned.get(toConceptTermKey(term)))
        : decided.terms,
    )
  }
  return termsByEntry
}

export function omitKeywordFromRejectedTerms(reject: readonly string[] = [], word: string): string[] {
  const literal = toNormalisedSearchText(word)
  return reject.filter((term) => toNormalisedSearchText(term) !== literal)
}

export function throwKeywordTermDecisionError(field: string, problem: KeywordTermDecisionProblem): never {
  return throwKeywordFieldError(field, KEYWORD_LIST_ERROR_TEXTS[problem])
}
