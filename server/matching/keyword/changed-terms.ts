import { type KeywordTermChangeDecisions, MAX_TERMS_PER_KEYWORD } from '#contract/matching/keyword-term.ts'
import type { ChangedKeywordTerm, KeywordTermChanges } from '#contract/matching/term-changes.ts'
import { toNormalisedSearchText } from '#contract/thai/thai-text.ts'
import { containsWholeTerm } from '#server/matching/meaning/word-borders.ts'
import { isManualTerm, toConceptTermKey } from './apply-term-decisions.ts'
import type { StoredKeywordTerm } from './store-terms.ts'

type TermKey = Pick<StoredKeywordTerm, 'facet' | 'term'>

const isUndecided = ({ state, taught }: StoredKeywordTerm) =>
  taught !== true && (state === 'auto' || state === 'suggested')

/**
 * Returns the undecided terms that the current engine activates but the stored list does not, and vice versa. `today`:
 * terms that are active by default. Omits terms that cannot change a match because an active term covers them, and
 * terms of facets if the engine now splits the word differently.
 */
export function findChangedKeywordTerms(
  stored: readonly StoredKeywordTerm[],
  today: readonly StoredKeywordTerm[],
): Pick<KeywordTermChanges, 'gained' | 'lost'> {
  const sameSides = sidesOf(stored) === sidesOf(today)
  const isCompared = ({ facet }: TermKey) => facet === 0 || sameSides
  const storedByKey = new Map(stored.map((term) => [toConceptTermKey(term), term]))
  const auto = new Set(today.map(toConceptTermKey))
  const isFoundBy = (terms: readonly TermKey[], { facet, term }: TermKey) =>
    terms.some(
      (candidate) =>
        candidate.facet === facet &&
        containsWholeTerm(toNormalisedSearchText(candidate.term), toNormalisedSearchText(term)),
    )
  const lost = stored.filter((term) => {
    if (term.state !== 'auto' || !isUndecided(term) || term.source === 'literal') return false
    return isCompared(term) && !auto.has(toConceptTermKey(term)) && !isFoundBy(today, term)
  })
  const stillActive = stored.filter(
    (term) => (term.state === 'auto' || term.state === 'approved') && !lost.includes(term),
  )
  const gained = today.filter((term) => {
    const storedTerm = storedByKey.get(toConceptTermKey(term))
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
export function applyChangedKeywordTerms(
  stored: readonly StoredKeywordTerm[],
  fresh: readonly StoredKeywordTerm[],
  { take = [], leave = [], back = [] }: KeywordTermChangeDecisions,
): StoredKeywordTerm[] {
  const today = new Map(fresh.filter(({ state }) => state === 'auto').map((term) => [toConceptTermKey(term), term]))
  const [toApply, toIgnore, toUndo] = [take, leave, back].map((terms) => new Set(terms.map(toConceptTermKey)))
  const changes = findChangedKeywordTerms(stored, [...today.values()])
  const changedKeys = new Set([...changes.gained, ...changes.lost].map(toConceptTermKey))
  const stateOf = (key: string, isOfToday: boolean): StoredKeywordTerm['state'] | undefined => {
    if (toApply!.has(key) && changedKeys.has(key)) return isOfToday ? 'auto' : 'suggested'
    if (toIgnore!.has(key) && changedKeys.has(key)) return isOfToday ? 'rejected' : 'approved'
    return undefined
  }
  const turned = stored.map((term): StoredKeywordTerm => {
    const key = toConceptTermKey(term)
    const isOfToday = today.has(key)
    if (toUndo!.has(key) && term.source !== 'literal' && term.source !== 'user') {
      const isTaken = isUndecided(term) && term.state === (isOfToday ? 'auto' : 'suggested')
      const isLeft = isManualTerm(term) && term.state === (isOfToday ? 'rejected' : 'approved')
      return isTaken || isLeft ? { ...term, state: isOfToday ? 'suggested' : 'auto' } : term
    }
    const state = stateOf(key, isOfToday)
    return state ? { ...term, state } : term
  })
  const storedKeys = new Set(stored.map(toConceptTermKey))
  const added = [...today].flatMap(([key, term]) => {
    const state = storedKeys.has(key) ? undefined : stateOf(key, true)
    return state ? [{ ...term, state }] : []
  })
  return dropExcessTerms([...turned, ...added])
}

function sidesOf(terms: readonly StoredKeywordTerm[]): string {
  return terms
    .filter(({ facet, source }) => facet > 0 && source === 'literal')
    .map(toConceptTermKey)
    .sort()
    .join('|')
}

function toEngineTerm({ taught: _, ...term }: StoredKeywordTerm): ChangedKeywordTerm {
  return term
}

function dropExcessTerms(terms: readonly StoredKeywordTerm[]): StoredKeywordTerm[] {
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
