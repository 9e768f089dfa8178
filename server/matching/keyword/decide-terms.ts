import { type ChangeTerms, MAX_TERM_LENGTH, MAX_TERMS, type TermState } from '#contract/matching/keyword-term.ts'
import { SEARCH_LIMITS } from '#contract/search/search-grammar.ts'
import { searchForm } from '#contract/thai/thai-text.ts'
import type { StoredTerm } from './keyword-terms.ts'
import { cleanWord } from './listed-words.ts'

export type Decision = Pick<ChangeTerms, 'approve' | 'reject' | 'add'>
export type DecisionProblem = 'literal_stays' | 'term_short' | 'terms_full'

/**
 * Applies approvals, rejections and additions. An approved term that has disappeared is added, because the user saw
 * it; a rejected one that has disappeared is ignored. The keyword itself always acts. `countOf`: number of titles
 * containing a term.
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
    if (state === undefined || isKeyword(term)) return term
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

export const isByHand = ({ state, taught }: StoredTerm) =>
  taught !== true && (state === 'approved' || state === 'rejected')

export const sidedKey = ({ facet, term }: Pick<StoredTerm, 'facet' | 'term'>) => `${facet} ${searchForm(term)}`

/**
 * Returns for each term whether the engine activates it by default, regardless of later decisions. `fresh`: current
 * expansion.
 */
export function autoTerms(terms: readonly StoredTerm[], fresh: readonly StoredTerm[]): boolean[] {
  const auto = new Set(fresh.filter(({ state }) => state === 'auto').map(sidedKey))
  return terms.map((term) => (term.taught === true ? auto.has(sidedKey(term)) : term.state === 'auto'))
}

/**
 * Applies the outcome of answers to the terms; without `acts`, restores the state before any answer. Manual decisions
 * remain.
 */
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

export function carryTaught(earlier: readonly StoredTerm[], terms: readonly StoredTerm[]): StoredTerm[] {
  const acts = new Map(
    earlier.filter(({ taught }) => taught === true).map((term) => [sidedKey(term), term.state === 'approved']),
  )
  return taughtTerms(terms, terms, (term) => acts.get(sidedKey(term)))
}

/** The keyword itself, as opposed to the main word of a facet. */
const isKeyword = ({ source, facet }: StoredTerm) => source === 'literal' && facet === 0

/** Returns manual decisions that still apply to the new terms, so that a corrected word retains them. */
export function decisionsOn(earlier: readonly StoredTerm[], terms: readonly StoredTerm[]): Decision {
  const now = new Set(terms.filter((term) => !isKeyword(term)).map(({ term }) => searchForm(term)))
  // Decisions from answers are carried over separately by `carryTaught`.
  const of = (state: TermState) =>
    earlier
      .filter((term) => term.state === state && isByHand(term) && now.has(searchForm(term.term)))
      .map(({ term }) => term)
  const own = earlier.filter(({ source, state }) => source === 'user' && state === 'approved').map(({ term }) => term)
  return { approve: of('approved'), reject: of('rejected'), add: own }
}
