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
import { findSidesOfParts, findSpecificHeadNoun, splitKeywordIntoParts } from './keyword-sides.ts'
import { findKeywordSubject } from './keyword-subject.ts'
import { computeKeywordCoverage, findTermOffers } from './term-gain.ts'
import { getBuiltInKeywordExpanderName, loadDefaultTermModel, type TermModel } from './term-model.ts'
import {
  computeTermSimilarity,
  findSimilarVocabularyUnits,
  findSpellingVariants,
  type TermSimilarity,
} from './term-similarity.ts'
import { containsWholeTerm } from './word-borders.ts'

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
/** A learned term of a composed keyword has to express this share of it: `ขนย้ายเศษ` says half of `ขนย้ายท่อระบายน้ำ`. */
const MIN_COMPOSED_COVERAGE = 0.75
const UNSEEN_TITLE_COUNT = 50
const MAX_SUGGESTIONS = 30
const MAX_NARROWER_SUGGESTIONS = 10

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
  const text = findKeywordSubject(model, concepts, keyword)
  const parts = splitKeywordIntoParts(model, concepts, text)
  const closeness = computeTermSimilarity(model, text)
  yield
  const list = new TermList(model, keyword)
  const synonyms = concepts.wordsFor(text)
  const judged = synonyms.map((term) => ({ term, similarity: closeness?.ofText(term) ?? null }))
  if (text !== keyword) list.add(text, 'learned', 1, 'auto')
  activateSynonyms(model, concepts, list, { text, closeness, judged, wide, isComposed: parts.length > 0 })
  yield
  const sides = yield* findSidesOfParts(model, concepts, parts)
  for (const side of sides) {
    for (const { term, similarity, source } of side.terms)
      list.add(term, source, similarity, 'auto', { facet: side.facet })
  }
  const state = wide ? 'auto' : 'suggested'
  if (wide) {
    for (const { term, similarity } of judged) list.add(term, 'dictionary', similarity ?? 0.5, state)
    suggestByRank(closeness, list)
  } else yield* suggestByGain(model, concepts, { text, closeness, judged }, list)
  return { known: closeness !== undefined || synonyms.length > 0 || sides.length > 0, terms: list.terms }
}

type Synonym = { readonly term: string; readonly similarity: number | null }
type Expanding = {
  readonly text: string
  readonly closeness: TermSimilarity | undefined
  readonly judged: readonly Synonym[]
}

function activateSynonyms(
  model: TermModel,
  concepts: ConceptDictionary,
  list: TermList,
  { text, closeness, judged, wide, isComposed }: Expanding & { readonly wide: boolean; readonly isComposed: boolean },
): void {
  const titles = closeness?.titles
  // A keyword of several units has no known frequency, so no term counts as broader than such a keyword.
  const isWider = (term: string, count = 0) =>
    titles !== undefined && isBroaderTerm(model, concepts, { keyword: text, titles, term, count })
  for (const { term, similarity } of judged) {
    const count = text.includes(term) ? model.counts[model.ids.get(term) ?? -1] : 0
    // Activate a dictionary term without a vector too, because the dictionary was reviewed by hand.
    if ((similarity ?? 1) >= MIN_DICTIONARY_SIMILARITY && !isWider(term, count))
      list.add(term, 'dictionary', similarity ?? 0.5, 'auto')
  }
  for (const { term, similarity } of findSpellingVariants(model, closeness, text))
    list.add(term, 'learned', similarity, 'auto')
  for (const unit of findSimilarVocabularyUnits(model, closeness, wide ? WIDE_CUT : AUTO_CUT)) {
    const term = extendToWholeWords(text, unit.term)
    const isSpecificTerm = () =>
      (!isComposed || computeKeywordCoverage(model, text, term) >= MIN_COMPOSED_COVERAGE) &&
      !isModifierTerm(text, term) &&
      !isBroaderTerm(model, concepts, {
        keyword: text,
        titles: titles ?? UNSEEN_TITLE_COUNT,
        term,
        count: unit.titles,
      }) &&
      (!concepts.isUnrelated(text, term) || (text.includes(term) && isKeywordRemainderGeneric(model, text, term)))
    if (wide || isSpecificTerm()) list.add(term, 'learned', unit.similarity, 'auto')
  }
  const head = findSpecificHeadNoun(model, concepts, text)
  if (head) list.add(head, 'learned', closeness?.ofText(head) ?? 0.5, 'auto')
}

function suggestByRank(closeness: TermSimilarity | undefined, list: TermList): void {
  if (!closeness) return
  let remaining = MAX_SUGGESTIONS
  for (const { term, similarity } of closeness.byRank()) {
    if (remaining === 0) return
    if (isProcurementProcedureTerm(list.keyword, term)) continue
    if (list.add(extendToWholeWords(list.keyword, term), 'learned', similarity, 'auto')) remaining -= 1
  }
}

/**
 * Offers dictionary words first, most frequent first, because they were reviewed by hand; then the terms of the highest
 * expected gain.
 */
function* suggestByGain(
  model: TermModel,
  concepts: ConceptDictionary,
  { text, closeness, judged }: Expanding,
  list: TermList,
): Generator<undefined, void> {
  const acting = list.terms.filter(({ facet }) => facet === 0).map(({ term }) => term)
  const subject = closeness && { text, keyword: list.keyword, similarity: closeness, acting }
  const offers = subject ? findTermOffers(model, concepts, subject) : []
  yield
  const titlesOf = ({ term }: Synonym) => model.counts[model.ids.get(term) ?? -1] ?? 0
  const occurs = ({ term }: Synonym) => model.segmenter.segment(term).every(({ id }) => id >= 0)
  const frequentFirst = judged.filter(occurs).sort((a, b) => titlesOf(b) - titlesOf(a))
  for (const { term, similarity } of frequentFirst) list.add(term, 'dictionary', similarity ?? 0.5, 'suggested')
  let remaining = MAX_SUGGESTIONS
  const narrower: typeof offers = []
  for (const offer of offers) {
    if (remaining <= MAX_NARROWER_SUGGESTIONS) break
    if (list.add(offer.term, 'learned', offer.similarity, 'suggested')) remaining -= 1
    else narrower.push(offer)
  }
  // For users who reject the wider suggestion (`สูบ`), offer narrower ones that contain it (`สูบน้ำ`) as well.
  for (const { term, similarity } of narrower) {
    if (remaining === 0) break
    if (list.add(term, 'learned', similarity, 'suggested', { isBelowSuggestions: true })) remaining -= 1
  }
  // Dictionary words that titles hardly use come last.
  for (const { term, similarity } of judged) list.add(term, 'dictionary', similarity ?? 0.5, 'suggested')
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
   * Adds a term unless it contains an earlier term, which already matches all its titles, or exceeds a limit.
   * `isBelowSuggestions`: earlier suggestions may match all its titles. Returns true if the term was added.
   */
  add(
    term: string,
    source: ExpandedTerm['source'],
    similarity: number,
    state: ExpandedTerm['state'],
    { facet = 0, isBelowSuggestions = false }: { facet?: number; isBelowSuggestions?: boolean } = {},
  ): boolean {
    if (this.terms.length >= MAX_TERMS_PER_KEYWORD || term.length > MAX_KEYWORD_TERM_LENGTH || term.length < 2)
      return false
    const covers = (earlier: ExpandedTerm) =>
      earlier.facet === facet &&
      (earlier.term === term ||
        (!(isBelowSuggestions && earlier.state === 'suggested') && containsWholeTerm(earlier.term, term)))
    if (this.terms.some(covers)) return false
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
