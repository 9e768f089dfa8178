import {
  type KeywordTermSelection,
  type KeywordTermState,
  MAX_KEYWORD_TERM_LENGTH,
  MAX_TERMS_PER_KEYWORD,
} from '#contract/matching/keyword-term.ts'
import { SEARCH_LIMITS } from '#contract/search/search-grammar.ts'
import { toNormalisedSearchText } from '#contract/thai/thai-text.ts'
import { normaliseKeywordText } from './keyword-list-entries.ts'
import type { StoredKeywordTerm } from './store-terms.ts'

export type KeywordTermDecisions = Pick<KeywordTermSelection, 'approve' | 'reject' | 'add'>
export type KeywordTermDecisionProblem = 'literal_stays' | 'term_short' | 'terms_full'

/**
 * Applies approvals, rejections and additions to the terms. An approved term that is no longer in the list is added
 * again, because the user saw it; a rejected term that is no longer in the list is ignored. The keyword itself is
 * always active. `countOf` returns the number of titles that contain a term.
 */
export function applyKeywordTermDecisions(
  terms: readonly StoredKeywordTerm[],
  { approve = [], reject = [], add = [] }: KeywordTermDecisions,
  countOf: (form: string) => number | null,
): { ok: true; terms: StoredKeywordTerm[] } | { ok: false; problem: KeywordTermDecisionProblem } {
  const states = new Map<string, KeywordTermState>()
  for (const term of reject) states.set(toNormalisedSearchText(term), 'rejected')
  for (const term of [...approve, ...add]) states.set(toNormalisedSearchText(term), 'approved')
  if (terms.some((term) => isKeyword(term) && states.get(toNormalisedSearchText(term.term)) === 'rejected'))
    return { ok: false, problem: 'literal_stays' }
  const decided = terms.map((term) => {
    const state = states.get(toNormalisedSearchText(term.term))
    if (state === undefined || isKeyword(term)) return term
    const { taught: _, ...untaught } = term
    return { ...untaught, state }
  })
  const knownForms = new Set(terms.map(({ term }) => toNormalisedSearchText(term)))
  for (const term of [...approve, ...add].map(normaliseKeywordText)) {
    const form = toNormalisedSearchText(term)
    if (knownForms.has(form)) continue
    if (
      form.length < SEARCH_LIMITS.termLength ||
      term.length > MAX_KEYWORD_TERM_LENGTH ||
      form.length > MAX_KEYWORD_TERM_LENGTH
    )
      return { ok: false, problem: 'term_short' }
    knownForms.add(form)
    decided.push({ term, source: 'user', state: 'approved', similarity: 1, facet: 0, title_count: countOf(form) })
  }
  const activeCount = decided.filter(({ state }) => state !== 'rejected').length
  return activeCount > MAX_TERMS_PER_KEYWORD ? { ok: false, problem: 'terms_full' } : { ok: true, terms: decided }
}

export const isManualTerm = ({ state, taught }: StoredKeywordTerm) =>
  taught !== true && (state === 'approved' || state === 'rejected')

export const toConceptTermKey = ({ facet, term }: Pick<StoredKeywordTerm, 'facet' | 'term'>) =>
  `${facet} ${toNormalisedSearchText(term)}`

/**
 * Returns for each term whether the engine activates it by default, regardless of later decisions. `fresh` is the
 * current expansion of the keyword.
 */
export function computeAutoTermFlags(
  terms: readonly StoredKeywordTerm[],
  fresh: readonly StoredKeywordTerm[],
): boolean[] {
  const auto = new Set(fresh.filter(({ state }) => state === 'auto').map(toConceptTermKey))
  return terms.map((term) => (term.taught === true ? auto.has(toConceptTermKey(term)) : term.state === 'auto'))
}

/**
 * Activates or deactivates the terms according to the answers of a lesson; without `acts`, restores the state before
 * any answer. Manual decisions remain unchanged.
 */
export function applyKeywordTrainingOutcome(
  terms: readonly StoredKeywordTerm[],
  fresh: readonly StoredKeywordTerm[],
  acts?: (term: StoredKeywordTerm) => boolean | undefined,
): StoredKeywordTerm[] {
  const auto = computeAutoTermFlags(terms, fresh)
  return terms.map((term, index) => {
    if (isManualTerm(term) || isKeyword(term)) return term
    const { taught: _, ...untaught } = term
    const on = acts?.(term) ?? auto[index]!
    if (on === auto[index]) return { ...untaught, state: on ? 'auto' : 'suggested' }
    return { ...untaught, state: on ? 'approved' : 'rejected', taught: true }
  })
}

export function carryOverTrainedTerms(
  earlier: readonly StoredKeywordTerm[],
  terms: readonly StoredKeywordTerm[],
): StoredKeywordTerm[] {
  const acts = new Map(
    earlier.filter(({ taught }) => taught === true).map((term) => [toConceptTermKey(term), term.state === 'approved']),
  )
  return applyKeywordTrainingOutcome(terms, terms, (term) => acts.get(toConceptTermKey(term)))
}

const isKeyword = ({ source, facet }: StoredKeywordTerm) => source === 'literal' && facet === 0

/** Returns the manual decisions that still apply to the new terms, so that they survive a correction of the word. */
export function extractManualTermDecisions(
  earlier: readonly StoredKeywordTerm[],
  terms: readonly StoredKeywordTerm[],
): KeywordTermDecisions {
  const newForms = new Set(terms.filter((term) => !isKeyword(term)).map(({ term }) => toNormalisedSearchText(term)))
  const withState = (state: KeywordTermState) =>
    earlier
      .filter((term) => term.state === state && isManualTerm(term) && newForms.has(toNormalisedSearchText(term.term)))
      .map(({ term }) => term)
  const userTerms = earlier
    .filter(({ source, state }) => source === 'user' && state === 'approved')
    .map(({ term }) => term)
  return { approve: withState('approved'), reject: withState('rejected'), add: userTerms }
}
