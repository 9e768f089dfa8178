import { type KeywordTerm, MAX_KEYWORD_TERM_LENGTH, MAX_TERMS_PER_KEYWORD } from '#contract/matching/keyword-term.ts'
import { toNormalisedSearchText } from '#contract/thai/thai-text.ts'
import {
  extendToWholeWords,
  isBroaderTerm,
  isKeywordRemainderGeneric,
  isModifierTerm,
  isProcurementProcedureTerm,
} from './broader-terms.ts'
import { type ConceptDictionary, loadConceptDictionary } from './concept-dictionary.ts'
import { findSpecificHeadNoun, splitKeywordIntoConcepts } from './keyword-sides.ts'
import { getBuiltInKeywordExpanderName, loadDefaultTermModel, type TermModel } from './term-model.ts'
import {
  computeTermSimilarity,
  findSimilarVocabularyUnits,
  findSpellingVariants,
  type TermSimilarity,
} from './term-similarity.ts'
import { isWholeWord, requiresWordBoundaries } from './word-borders.ts'

export type ExpandedTerm = Omit<KeywordTerm, 'samples' | 'state'> & { readonly state: 'auto' | 'suggested' }

export type KeywordExpansion = {
  readonly engine: string
  readonly known: boolean
  readonly terms: readonly ExpandedTerm[]
}

export type KeywordExpansionOptions = {
  /**
   * True for deep search, where no user approves terms: uses lower similarity thresholds and activates suggestions too.
   */
  readonly wide?: boolean
}

/**
 * Two units count as synonyms if both similarities reach these values. Tuned on the half `tune` of the drawn keywords
 * (decision 0101).
 */
const AUTO_CUT = { subword: 0.84, context: 0.6 } as const
const WIDE_CUT = { subword: 0.68, context: 0.5 } as const
const MIN_DICTIONARY_SIMILARITY = 0.5
const UNSEEN_TITLE_COUNT = 50
const MAX_SUGGESTIONS = 25

/**
 * Expands an AI keyword in 20 ms. Returns the keyword itself, then terms active by default, then suggestions.
 * Deterministic.
 */
export function expandKeyword(word: string, options: KeywordExpansionOptions = {}): KeywordExpansion {
  return {
    engine: getBuiltInKeywordExpanderName(),
    ...expandKeywordWithModel(loadDefaultTermModel(), loadConceptDictionary(), word, options),
  }
}

/** Runs `expandKeyword` in slices of 15 ms: 100 characters take 0.1 s, during which other requests need to run. */
export async function expandKeywordInTimeSlices(
  word: string,
  options: KeywordExpansionOptions,
  yieldNow: () => Promise<unknown>,
): Promise<KeywordExpansion> {
  const steps = expansionSteps(loadDefaultTermModel(), loadConceptDictionary(), word, options)
  for (;;) {
    const step = steps.next()
    if (step.done) return { engine: getBuiltInKeywordExpanderName(), ...step.value }
    await yieldNow()
  }
}

export function expandKeywordWithModel(
  model: TermModel,
  concepts: ConceptDictionary,
  word: string,
  options: KeywordExpansionOptions = {},
): Omit<KeywordExpansion, 'engine'> {
  const steps = expansionSteps(model, concepts, word, options)
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

function* expansionSteps(
  model: TermModel,
  concepts: ConceptDictionary,
  word: string,
  { wide = false }: KeywordExpansionOptions,
): Generator<undefined, Omit<KeywordExpansion, 'engine'>> {
  const keyword = toNormalisedSearchText(word)
  const closeness = computeTermSimilarity(model, keyword)
  yield
  const list = new TermList(model, keyword)
  const synonyms = concepts.wordsFor(keyword)
  const judged = synonyms.map((term) => ({ term, similarity: closeness?.ofText(term) ?? null }))
  const titles = closeness?.titles
  // A keyword of several units has no known frequency, so no term counts as broader than such a keyword.
  const isWider = (term: string, count = 0) =>
    titles !== undefined && isBroaderTerm(model, keyword, titles, term, count)
  for (const { term, similarity } of judged) {
    const count = keyword.includes(term) ? model.counts[model.ids.get(term) ?? -1] : 0
    // Activate a dictionary term without a vector too, because the dictionary was reviewed by hand.
    if ((similarity ?? 1) >= MIN_DICTIONARY_SIMILARITY && !isWider(term, count))
      list.add(term, 'dictionary', similarity ?? 0.5, 'auto')
  }
  for (const { term, similarity } of findSpellingVariants(model, closeness, keyword))
    list.add(term, 'learned', similarity, 'auto')
  for (const unit of findSimilarVocabularyUnits(model, closeness, wide ? WIDE_CUT : AUTO_CUT)) {
    const term = extendToWholeWords(keyword, unit.term)
    const isSpecificTerm = () =>
      !isModifierTerm(keyword, term) &&
      !isBroaderTerm(model, keyword, titles ?? UNSEEN_TITLE_COUNT, term, unit.titles) &&
      (!concepts.isUnrelated(keyword, term) ||
        (keyword.includes(term) && isKeywordRemainderGeneric(model, keyword, term)))
    if (wide || isSpecificTerm()) list.add(term, 'learned', unit.similarity, 'auto')
  }
  const head = findSpecificHeadNoun(model, concepts, keyword)
  if (head) list.add(head, 'learned', closeness?.ofText(head) ?? 0.5, 'auto')
  yield
  const sides = yield* splitKeywordIntoConcepts(model, concepts, keyword)
  for (const side of sides) {
    for (const { term, similarity, source } of side.terms) list.add(term, source, similarity, 'auto', side.facet)
  }
  const state = wide ? 'auto' : 'suggested'
  for (const { term, similarity } of judged) list.add(term, 'dictionary', similarity ?? 0.5, state)
  suggest(closeness, list, state)
  return { known: closeness !== undefined || synonyms.length > 0 || sides.length > 0, terms: list.terms }
}

function suggest(closeness: TermSimilarity | undefined, list: TermList, state: 'auto' | 'suggested'): void {
  if (!closeness) return
  let remaining = MAX_SUGGESTIONS
  for (const { term, similarity } of closeness.byRank()) {
    if (remaining === 0) return
    if (isProcurementProcedureTerm(list.keyword, term)) continue
    if (list.add(extendToWholeWords(list.keyword, term), 'learned', similarity, state)) remaining -= 1
  }
}

class TermList {
  readonly terms: ExpandedTerm[]
  readonly #model: TermModel

  readonly keyword: string

  constructor(model: TermModel, keyword: string) {
    this.#model = model
    this.keyword = keyword
    this.terms = [this.#term(keyword, 'literal', 1, 'auto', 0)]
  }

  /**
   * Adds a term unless it contains an earlier term, which already matches all its titles, or exceeds a limit. Returns
   * true if the term was added.
   */
  add(
    term: string,
    source: ExpandedTerm['source'],
    similarity: number,
    state: ExpandedTerm['state'],
    facet = 0,
  ): boolean {
    if (this.terms.length >= MAX_TERMS_PER_KEYWORD || term.length > MAX_KEYWORD_TERM_LENGTH || term.length < 2)
      return false
    if (this.terms.some((earlier) => earlier.facet === facet && containsWholeTerm(earlier.term, term))) return false
    this.terms.push(this.#term(term, source, similarity, state, facet))
    return true
  }

  #term(
    term: string,
    source: ExpandedTerm['source'],
    similarity: number,
    state: ExpandedTerm['state'],
    facet: number,
  ): ExpandedTerm {
    const id = this.#model.ids.get(term)
    return {
      term,
      source,
      state,
      similarity: Math.round(Math.min(1, Math.max(0, similarity)) * 100) / 100,
      facet,
      title_count: id === undefined ? null : this.#model.counts[id]!,
    }
  }
}

export function containsWholeTerm(shorter: string, longer: string): boolean {
  const at = longer.indexOf(shorter)
  if (at < 0) return false
  return !requiresWordBoundaries(shorter) || isWholeWord(longer, at, at + shorter.length)
}
