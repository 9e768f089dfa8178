import { type KeywordTerm, MAX_TERM_LENGTH, MAX_TERMS } from '#contract/matching/keyword-term.ts'
import { searchForm } from '#contract/thai/thai-text.ts'
import { type Closeness, closenessTo, closeUnits, otherSpellings } from './closeness.ts'
import { type Dictionary, dictionary } from './dictionary.ts'
import { sidesOf, specificHead } from './keyword-sides.ts'
import { meaningEngine, type TermModel, termModel } from './term-model.ts'
import { isModifier, isProcedure, isWiderNotion, leavesGeneric, wholeWords } from './wider-notions.ts'
import { isWholeWord, needsWordBorders } from './word-borders.ts'

export type ExpandedTerm = Omit<KeywordTerm, 'samples' | 'state'> & { readonly state: 'auto' | 'suggested' }

export type KeywordExpansion = {
  readonly engine: string
  /** False if neither vocabulary nor dictionary contains any part of the keyword. */
  readonly known: boolean
  readonly terms: readonly ExpandedTerm[]
}

export type ExpandOptions = {
  /** For deep search, where no user approves terms: wider cut, and suggestions act too. */
  readonly wide?: boolean
}

/**
 * Thresholds above which both rankings agree that two units mean the same. Tuned on the half `tune` of drawn keywords
 * (decision 0101).
 */
const AUTO = { subword: 0.84, context: 0.6 } as const
const WIDE = { subword: 0.68, context: 0.5 } as const
/** Minimum mean similarity for a dictionary term to act by default. */
const CONFIRMED = 0.5
/** Assumed title count of a keyword that is not a vocabulary unit. */
const UNSEEN = 50
const SUGGESTIONS = 25

/** Expands an AI keyword: itself, then terms active by default, then suggestions. Deterministic. 20 ms. */
export function expandKeyword(word: string, options: ExpandOptions = {}): KeywordExpansion {
  return { engine: meaningEngine(), ...expandWith(termModel(), dictionary(), word, options) }
}

/** `expandKeyword` in slices of 15 ms: 100 characters take 0.1 s, during which other requests need to run. */
export async function expandInSlices(
  word: string,
  options: ExpandOptions,
  yieldNow: () => Promise<unknown>,
): Promise<KeywordExpansion> {
  const steps = expansionSteps(termModel(), dictionary(), word, options)
  for (;;) {
    const step = steps.next()
    if (step.done) return { engine: meaningEngine(), ...step.value }
    await yieldNow()
  }
}

export function expandWith(
  model: TermModel,
  concepts: Dictionary,
  word: string,
  options: ExpandOptions = {},
): Omit<KeywordExpansion, 'engine'> {
  const steps = expansionSteps(model, concepts, word, options)
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

function* expansionSteps(
  model: TermModel,
  concepts: Dictionary,
  word: string,
  { wide = false }: ExpandOptions,
): Generator<undefined, Omit<KeywordExpansion, 'engine'>> {
  const keyword = searchForm(word)
  const closeness = closenessTo(model, keyword)
  yield
  const list = new TermList(model, keyword)
  const synonyms = concepts.wordsFor(keyword)
  const judged = synonyms.map((term) => ({ term, similarity: closeness?.ofText(term) ?? null }))
  const titles = closeness?.titles
  // The frequency of a keyword of several units is not counted, so nothing counts as wider.
  const isWider = (term: string, count = 0) =>
    titles !== undefined && isWiderNotion(model, keyword, titles, term, count)
  for (const { term, similarity } of judged) {
    const count = keyword.includes(term) ? model.counts[model.ids.get(term) ?? -1] : 0
    // Trust the reviewed dictionary for terms without vectors.
    if ((similarity ?? 1) >= CONFIRMED && !isWider(term, count)) list.add(term, 'dictionary', similarity ?? 0.5, 'auto')
  }
  for (const { term, similarity } of otherSpellings(model, closeness, keyword))
    list.add(term, 'learned', similarity, 'auto')
  for (const unit of closeUnits(model, closeness, wide ? WIDE : AUTO)) {
    const term = wholeWords(keyword, unit.term)
    const isThing = () =>
      !isModifier(keyword, term) &&
      !isWiderNotion(model, keyword, titles ?? UNSEEN, term, unit.titles) &&
      (!concepts.tellsApart(keyword, term) || (keyword.includes(term) && leavesGeneric(model, keyword, term)))
    if (wide || isThing()) list.add(term, 'learned', unit.similarity, 'auto')
  }
  const head = specificHead(model, concepts, keyword)
  if (head) list.add(head, 'learned', closeness?.ofText(head) ?? 0.5, 'auto')
  yield
  const sides = yield* sidesOf(model, concepts, keyword)
  for (const side of sides) {
    for (const { term, similarity, source } of side.terms) list.add(term, source, similarity, 'auto', side.facet)
  }
  const state = wide ? 'auto' : 'suggested'
  for (const { term, similarity } of judged) list.add(term, 'dictionary', similarity ?? 0.5, state)
  suggest(closeness, list, state)
  return { known: closeness !== undefined || synonyms.length > 0 || sides.length > 0, terms: list.terms }
}

function suggest(closeness: Closeness | undefined, list: TermList, state: 'auto' | 'suggested'): void {
  if (!closeness) return
  let left = SUGGESTIONS
  for (const { term, similarity } of closeness.byRank()) {
    if (left === 0) return
    if (isProcedure(list.keyword, term)) continue
    if (list.add(wholeWords(list.keyword, term), 'learned', similarity, state)) left -= 1
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

  /** Returns false for a term that contains an earlier one, because that already matches all its titles. */
  add(
    term: string,
    source: ExpandedTerm['source'],
    similarity: number,
    state: ExpandedTerm['state'],
    facet = 0,
  ): boolean {
    if (this.terms.length >= MAX_TERMS || term.length > MAX_TERM_LENGTH || term.length < 2) return false
    if (this.terms.some((earlier) => earlier.facet === facet && covers(earlier.term, term))) return false
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

export function covers(shorter: string, longer: string): boolean {
  const at = longer.indexOf(shorter)
  if (at < 0) return false
  return !needsWordBorders(shorter) || isWholeWord(longer, at, at + shorter.length)
}
