import { type ChangeTerms, MAX_TERM_LENGTH, MAX_TERMS, type TermState } from '#contract/keyword/keyword-term.ts'
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
    return state === undefined || isKeyword(term) ? term : { ...term, state }
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

/** The keyword itself, and not a word of one of its sides. */
const isKeyword = ({ source, facet }: StoredTerm) => source === 'literal' && facet === 0

/** Decisions taken on earlier terms, as far as they mean something among these: a corrected word keeps its ticks. */
export function decisionsOn(earlier: readonly StoredTerm[], terms: readonly StoredTerm[]): Decision {
  const now = new Set(terms.filter((term) => !isKeyword(term)).map(({ term }) => searchForm(term)))
  const of = (state: TermState) =>
    earlier.filter((term) => term.state === state && now.has(searchForm(term.term))).map(({ term }) => term)
  const own = earlier.filter(({ source, state }) => source === 'user' && state === 'approved').map(({ term }) => term)
  return { approve: of('approved'), reject: of('rejected'), add: own }
}
