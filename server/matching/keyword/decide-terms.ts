import { type ChangeTerms, MAX_TERM_LENGTH, MAX_TERMS, type TermState } from '#contract/matching/keyword-term.ts'
import { SEARCH_LIMITS } from '#contract/search/search-grammar.ts'
import { searchForm } from '#contract/thai/thai-text.ts'
import type { StoredTerm } from './keyword-terms.ts'
import { cleanWord } from './listed-words.ts'

export type Decision = Pick<ChangeTerms, 'approve' | 'reject' | 'add'>
/** Why a decision cannot be stored. */
export type DecisionProblem = 'literal_stays' | 'term_short' | 'terms_full'

/**
 * The terms after somebody ticked, unticked and added some. What is ticked and not there any more is added: the user saw it and wants it. What
 * is unticked and not there needs nothing. The keyword itself always takes part. `countOf`: titles that hold a term.
 */
export function decideTerms(
  terms: readonly StoredTerm[],
  { approve = [], reject = [], add = [] }: Decision,
  countOf: (form: string) => number | null,
): { ok: true; terms: StoredTerm[] } | { ok: false; problem: DecisionProblem } {
  const states = new Map<string, TermState>()
  for (const term of reject) states.set(searchForm(term), 'rejected')
  for (const term of [...approve, ...add]) states.set(searchForm(term), 'approved')
  if (terms.some((term) => isKeyword(term) && states.get(searchForm(term.term)) === 'rejected'))
    return { ok: false, problem: 'literal_stays' }
  const decided = terms.map((term) => {
    const state = states.get(searchForm(term.term))
    // The keyword itself needs no tick.
    if (state === undefined || isKeyword(term)) return term
    // A tick wins over answers.
    const { taught: _, ...own } = term
    return { ...own, state }
  })
  const known = new Set(terms.map(({ term }) => searchForm(term)))
  for (const term of [...approve, ...add].map(cleanWord)) {
    const form = searchForm(term)
    if (known.has(form)) continue
    if (form.length < SEARCH_LIMITS.termLength || term.length > MAX_TERM_LENGTH || form.length > MAX_TERM_LENGTH)
      return { ok: false, problem: 'term_short' }
    known.add(form)
    decided.push({ term, source: 'user', state: 'approved', similarity: 1, facet: 0, title_count: countOf(form) })
  }
  const counted = decided.filter(({ state }) => state !== 'rejected').length
  return counted > MAX_TERMS ? { ok: false, problem: 'terms_full' } : { ok: true, terms: decided }
}

/** The term is as a person ticked, unticked or typed it. */
export const isByHand = ({ state, taught }: StoredTerm) =>
  taught !== true && (state === 'approved' || state === 'rejected')

export const sidedKey = ({ facet, term }: Pick<StoredTerm, 'facet' | 'term'>) => `${facet} ${searchForm(term)}`

/** Of each term, whether the engine lets it act unasked, whatever was learned or ticked since. `fresh`: the terms as the engine gives them. */
export function autoTerms(terms: readonly StoredTerm[], fresh: readonly StoredTerm[]): boolean[] {
  const auto = new Set(fresh.filter(({ state }) => state === 'auto').map(sidedKey))
  return terms.map((term) => (term.taught === true ? auto.has(sidedKey(term)) : term.state === 'auto'))
}

/** The terms after answers said which of them act; without `acts` as they were before any answer. What was ticked by hand stays. */
export function taughtTerms(
  terms: readonly StoredTerm[],
  fresh: readonly StoredTerm[],
  acts?: (term: StoredTerm) => boolean | undefined,
): StoredTerm[] {
  const auto = autoTerms(terms, fresh)
  return terms.map((term, index) => {
    if (isByHand(term) || isKeyword(term)) return term
    const { taught: _, ...own } = term
    const on = acts?.(term) ?? auto[index]!
    if (on === auto[index]) return { ...own, state: on ? 'auto' : 'suggested' }
    return { ...own, state: on ? 'approved' : 'rejected', taught: true }
  })
}

/** The terms of a corrected word, with what answers about titles decided of the same terms before. */
export function carryTaught(earlier: readonly StoredTerm[], terms: readonly StoredTerm[]): StoredTerm[] {
  const acts = new Map(
    earlier.filter(({ taught }) => taught === true).map((term) => [sidedKey(term), term.state === 'approved']),
  )
  return taughtTerms(terms, terms, (term) => acts.get(sidedKey(term)))
}

/** The keyword itself, and not a word of one of its sides. */
const isKeyword = ({ source, facet }: StoredTerm) => source === 'literal' && facet === 0

/** Decisions taken on earlier terms, as far as they mean something among these: a corrected word keeps its ticks. */
export function decisionsOn(earlier: readonly StoredTerm[], terms: readonly StoredTerm[]): Decision {
  const now = new Set(terms.filter((term) => !isKeyword(term)).map(({ term }) => searchForm(term)))
  // What answers decided is carried beside them, by `carryTaught`.
  const of = (state: TermState) =>
    earlier
      .filter((term) => term.state === state && isByHand(term) && now.has(searchForm(term.term)))
      .map(({ term }) => term)
  const own = earlier.filter(({ source, state }) => source === 'user' && state === 'approved').map(({ term }) => term)
  return { approve: of('approved'), reject: of('rejected'), add: own }
}
