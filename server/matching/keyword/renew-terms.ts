import { MAX_TERMS_PER_KEYWORD, type TermRenewal } from '#contract/matching/keyword-term.ts'
import type { ChangedEngineTerm, KeywordTermChanges } from '#contract/matching/term-changes.ts'
import { toSearchForm } from '#contract/thai/thai-text.ts'
import { containsWholeTerm } from '#server/matching/meaning/expand-keyword.ts'
import { facetTermKey, isManual } from './decide-terms.ts'
import type { StoredTerm } from './store-terms.ts'

type TermKey = Pick<StoredTerm, 'facet' | 'term'>

const isUndecided = ({ state, taught }: StoredTerm) => taught !== true && (state === 'auto' || state === 'suggested')

/**
 * Returns the undecided terms that the current engine activates and the stored list does not, and vice versa. `today`:
 * terms active by default. Omits terms that cannot change a match because an active term covers them, and facets if the
 * word is now split differently.
 */
export function findChangedTerms(
  stored: readonly StoredTerm[],
  today: readonly StoredTerm[],
): Pick<KeywordTermChanges, 'gained' | 'lost'> {
  const sameSides = sidesOf(stored) === sidesOf(today)
  const isCompared = ({ facet }: TermKey) => facet === 0 || sameSides
  const storedByKey = new Map(stored.map((term) => [facetTermKey(term), term]))
  const auto = new Set(today.map(facetTermKey))
  const isFoundBy = (terms: readonly TermKey[], { facet, term }: TermKey) =>
    terms.some(
      (candidate) => candidate.facet === facet && containsWholeTerm(toSearchForm(candidate.term), toSearchForm(term)),
    )
  const lost = stored.filter((term) => {
    if (term.state !== 'auto' || !isUndecided(term) || term.source === 'literal') return false
    return isCompared(term) && !auto.has(facetTermKey(term)) && !isFoundBy(today, term)
  })
  const stillActive = stored.filter(
    (term) => (term.state === 'auto' || term.state === 'approved') && !lost.includes(term),
  )
  const gained = today.filter((term) => {
    const storedTerm = storedByKey.get(facetTermKey(term))
    const isDecided = storedTerm !== undefined && !(isUndecided(storedTerm) && storedTerm.state === 'suggested')
    return isCompared(term) && !isDecided && !isFoundBy(stillActive, term)
  })
  return { gained: gained.map(toEngineTerm), lost: lost.map(toEngineTerm) }
}

/**
 * Applies the user's choice about changed terms. Only undecided terms change, so decisions made in the meantime remain.
 * A declined change becomes a decision (rejected or approved), so it is not reported again; `back` undoes either
 * choice. Suggested terms are dropped at `MAX_TERMS`.
 */
export function applyChangedTerms(
  stored: readonly StoredTerm[],
  fresh: readonly StoredTerm[],
  { take = [], leave = [], back = [] }: TermRenewal,
): StoredTerm[] {
  const today = new Map(fresh.filter(({ state }) => state === 'auto').map((term) => [facetTermKey(term), term]))
  const [toApply, toIgnore, toUndo] = [take, leave, back].map((terms) => new Set(terms.map(facetTermKey)))
  const changes = findChangedTerms(stored, [...today.values()])
  const changedKeys = new Set([...changes.gained, ...changes.lost].map(facetTermKey))
  const stateOf = (key: string, isOfToday: boolean): StoredTerm['state'] | undefined => {
    if (toApply!.has(key) && changedKeys.has(key)) return isOfToday ? 'auto' : 'suggested'
    if (toIgnore!.has(key) && changedKeys.has(key)) return isOfToday ? 'rejected' : 'approved'
    return undefined
  }
  const turned = stored.map((term): StoredTerm => {
    const key = facetTermKey(term)
    const isOfToday = today.has(key)
    if (toUndo!.has(key) && term.source !== 'literal' && term.source !== 'user') {
      const isTaken = isUndecided(term) && term.state === (isOfToday ? 'auto' : 'suggested')
      const isLeft = isManual(term) && term.state === (isOfToday ? 'rejected' : 'approved')
      return isTaken || isLeft ? { ...term, state: isOfToday ? 'suggested' : 'auto' } : term
    }
    const state = stateOf(key, isOfToday)
    return state ? { ...term, state } : term
  })
  const storedKeys = new Set(stored.map(facetTermKey))
  const added = [...today].flatMap(([key, term]) => {
    const state = storedKeys.has(key) ? undefined : stateOf(key, true)
    return state ? [{ ...term, state }] : []
  })
  return dropExcessTerms([...turned, ...added])
}

function sidesOf(terms: readonly StoredTerm[]): string {
  return terms
    .filter(({ facet, source }) => facet > 0 && source === 'literal')
    .map(facetTermKey)
    .sort()
    .join('|')
}

function toEngineTerm({ taught: _, ...term }: StoredTerm): ChangedEngineTerm {
  return term
}

function dropExcessTerms(terms: readonly StoredTerm[]): StoredTerm[] {
  let excess = terms.filter(({ state }) => state !== 'rejected').length - MAX_TERMS_PER_KEYWORD
  return terms
    .toReversed()
    .filter((term) => {
      const isDropped = excess > 0 && term.state === 'suggested' && isUndecided(term)
      if (isDropped) excess -= 1
      return !isDropped
    })
    .toReversed()
}
