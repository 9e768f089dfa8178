import { type KeywordTerm, MAX_TERM_LENGTH, MAX_TERMS, type TermSource } from '#contract/keyword/keyword-term.ts'
import { searchForm } from '#contract/thai/thai-text.ts'
import { type Closeness, type CloseTerm, closenessTo, closeUnits } from './closeness.ts'
import { type Dictionary, dictionary } from './dictionary.ts'
import { meaningEngine, type TermModel, termModel } from './term-model.ts'
import { isWholeWord, needsWordBorders } from './word-borders.ts'

type SideTerm = { readonly term: string; readonly similarity: number; readonly source: TermSource }
type Side = { readonly facet: number; readonly terms: readonly SideTerm[] }

/** Terms of one side that matching can still afford. */
const TERMS_OF_SIDE = 14
/** A side's words come from the reviewed dictionary; the vectors only keep out what the titles use otherwise. */
const AGREED = 0.35
/** Learned words of a side: closer than for a whole keyword, since two sides add up their mistakes. */
const CLOSE = { subword: 0.85, context: 0.85 }
/** A part in more titles than this (3 %) says nothing of what is bought: `ระบบ`, `งาน`, `เครื่อง`. */
const GENERIC_SHARE = 0.03

/**
 * The sides of a keyword that is put together from two or more notions (`ปรับปรุง` + `ถนน`), each with its words. A title that
 * has a word of every side is about the keyword, in whatever order. Empty for a keyword of one notion. Yields after each side: 12 ms.
 */
function* sidesOf(model: TermModel, concepts: Dictionary, keyword: string): Generator<undefined, Side[]> {
  if (concepts.conceptsOf(keyword).length > 0) return []
  const named = conceptParts(concepts, keyword)
  const parts = named.length >= 2 ? named : learnedParts(model, keyword)
  if (parts.length < 2) return []
  const sides: Side[] = []
  for (const part of parts) {
    const others = parts.filter((other) => other !== part)
    sides.push({ facet: sides.length + 1, terms: termsOfSide(model, concepts, part, others) })
    yield
  }
  return sides
}

/** A side's own word and what means the same; nothing that holds the word of another side, or one word would be two sides. */
function termsOfSide(model: TermModel, concepts: Dictionary, part: string, others: readonly string[]): SideTerm[] {
  const closeness = closenessTo(model, part)
  const words: SideTerm[] = concepts
    .wordsFor(part)
    .map((term) => ({ term, similarity: closeness?.ofText(term) ?? 0, source: 'dictionary' as const }))
    .filter(({ similarity }) => similarity >= AGREED)
  for (const { term, similarity } of closeUnits(model, closeness, CLOSE)) {
    if (!concepts.tellsApart(part, term)) words.push({ term, similarity, source: 'learned' })
  }
  const free = words.filter(({ term }) => !others.some((other) => term.includes(other)))
  free.sort((a, b) => b.similarity - a.similarity || (a.term < b.term ? -1 : 1))
  return [{ term: part, similarity: 1, source: 'literal' }, ...free.slice(0, TERMS_OF_SIDE - 1)]
}

/** The dictionary terms that the keyword is put together from, when they are all of it; else none. */
function conceptParts(concepts: Dictionary, keyword: string): string[] {
  // Each rest is tried once: what cannot be cut is met again by every way that leads to it.
  const dead = new Set<number>()
  const cut = (rest: string): string[] | undefined => {
    if (rest === '') return []
    if (dead.has(rest.length)) return undefined
    for (let length = rest.length; length > 1; length -= 1) {
      const head = rest.slice(0, length)
      if (head === keyword || concepts.conceptsOf(head).length === 0) continue
      const tail = cut(rest.slice(length))
      if (tail) return [head, ...tail]
    }
    dead.add(rest.length)
    return undefined
  }
  return cut(keyword) ?? []
}

/** The units that the keyword is put together from, when each is known and says something. */
function learnedParts(model: TermModel, keyword: string): string[] {
  const units = model.segmenter.segment(keyword, model.ids.get(keyword))
  const generic = GENERIC_SHARE * 1_000_000
  const isPart = ({ id, text }: (typeof units)[number]) => id >= 0 && text.length >= 3 && model.context.has(id)
  if (!units.every(isPart)) return []
  const telling = units.filter(({ id }) => model.counts[id]! < generic)
  return telling.length < 2 ? [] : telling.map(({ text }) => text)
}

/** A term as it leaves the engine; samples and a user's decisions are the caller's. */
export type ExpandedTerm = Omit<KeywordTerm, 'samples' | 'state'> & { readonly state: 'auto' | 'suggested' }

export type KeywordExpansion = {
  readonly engine: string
  /** False: no part of the keyword stands in the vocabulary or the dictionary. */
  readonly known: boolean
  readonly terms: readonly ExpandedTerm[]
}

export type ExpandOptions = {
  /** For deep search, which nobody approves: a wider cut, and what would be suggested takes part. */
  readonly wide?: boolean
}

/** From here both rankings agree that two units are the same thing. Chosen over 38 keywords without the dictionary, for precision (decision 0015). */
const AUTO = { subword: 0.78, context: 0.67 } as const
/** Neighbours of a word that few titles hold are chance: `server` (147 titles) lies beside `zoom`. It gets this cut unasked, the rest to tick. */
const RARE = { titles: 300, subword: 0.88, context: 0.75 } as const
const WIDE = { subword: 0.68, context: 0.5 } as const
/** A dictionary term acts unasked when the mean of both rankings is at least this. */
const CONFIRMED = 0.5
/** A part of the keyword in so many times its titles is a wider notion (`ไฟ` of `ไฟถนน`): the user decides. So is any other learned term. */
const BROADER = { part: 12, other: 60 } as const
/** What a keyword counts as that is no unit itself. */
const UNSEEN = 50
const SUGGESTIONS = 25

/**
 * The terms an AI keyword stands for: itself first, then what may act unasked, then what waits for a tick. The same input
 * gives the same terms. 20 ms.
 */
export function expandKeyword(word: string, options: ExpandOptions = {}): KeywordExpansion {
  return { engine: meaningEngine(), ...expandWith(termModel(), dictionary(), word, options) }
}

/** `expandKeyword` in slices of 15 ms: a sentence of 100 letters takes 0.1 s, in which others are to be answered. */
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

/** `expandKeyword` on a given model and dictionary: to compare models. */
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
  for (const { term, similarity } of judged) {
    if (similarity !== null && similarity >= CONFIRMED) list.add(term, 'dictionary', similarity, 'auto')
  }
  const titles = closeness?.titles ?? UNSEEN
  const cut = wide ? WIDE : titles < RARE.titles ? RARE : AUTO
  const isBroader = (unit: CloseTerm) =>
    unit.titles > titles * (keyword.includes(unit.term) ? BROADER.part : BROADER.other)
  for (const unit of closeUnits(model, closeness, cut)) {
    if (wide || (!isBroader(unit) && !concepts.tellsApart(keyword, unit.term)))
      list.add(unit.term, 'learned', unit.similarity, 'auto')
  }
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
    if (list.add(term, 'learned', similarity, state)) left -= 1
  }
}

/** Terms in the order of their arrival, without those that could never add a hit. */
class TermList {
  readonly terms: ExpandedTerm[]
  readonly #model: TermModel

  constructor(model: TermModel, keyword: string) {
    this.#model = model
    this.terms = [this.#term(keyword, 'literal', 1, 'auto', 0)]
  }

  /** Whether the term was new: not one that holds an earlier term, which finds all its titles already. */
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

/** Whether every title with the longer term is found by the shorter one. */
function covers(shorter: string, longer: string): boolean {
  const at = longer.indexOf(shorter)
  if (at < 0) return false
  return !needsWordBorders(shorter) || isWholeWord(longer, at, at + shorter.length)
}
