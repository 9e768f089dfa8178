import { MAX_TERMS, type RenewTerms } from '#contract/matching/keyword-term.ts'
import type { NewsOfKeyword, NewsTerm } from '#contract/matching/term-news.ts'
import { searchForm } from '#contract/thai/thai-text.ts'
import { covers } from '#server/matching/meaning/expand-keyword.ts'
import { isByHand, sidedKey } from './decide-terms.ts'
import type { StoredTerm } from './keyword-terms.ts'

type Sided = Pick<StoredTerm, 'facet' | 'term'>

/** True while the term was neither approved or rejected manually nor taught by answers. */
const isOpen = ({ state, taught }: StoredTerm) => taught !== true && (state === 'auto' || state === 'suggested')

/**
 * Returns the undecided terms that the current engine activates and the stored ones do not, and vice versa. `today`:
 * terms active by default. Omits terms that cannot change a match because an active term covers them, and facets if
 * the word is now split differently.
 */
export function newsOfTerms(
  stored: readonly StoredTerm[],
  today: readonly StoredTerm[],
): Pick<NewsOfKeyword, 'gained' | 'lost'> {
  const sameSides = sidesOf(stored) === sidesOf(today)
  const isCompared = ({ facet }: Sided) => facet === 0 || sameSides
  const own = new Map(stored.map((term) => [sidedKey(term), term]))
  const auto = new Set(today.map(sidedKey))
  const isFoundBy = (terms: readonly Sided[], { facet, term }: Sided) =>
    terms.some((other) => other.facet === facet && covers(searchForm(other.term), searchForm(term)))
  const lost = stored.filter((term) => {
    if (term.state !== 'auto' || !isOpen(term) || term.source === 'literal') return false
    return isCompared(term) && !auto.has(sidedKey(term)) && !isFoundBy(today, term)
  })
  const stays = stored.filter((term) => (term.state === 'auto' || term.state === 'approved') && !lost.includes(term))
  const gained = today.filter((term) => {
    const known = own.get(sidedKey(term))
    const isDecided = known !== undefined && !(isOpen(known) && known.state === 'suggested')
    return isCompared(term) && !isDecided && !isFoundBy(stays, term)
  })
  return { gained: gained.map(newsTerm), lost: lost.map(newsTerm) }
}

/**
 * Applies the user's choice about changed terms. Decisions remain, including those taken meanwhile: only undecided
 * terms change. A declined change becomes a decision (rejected or approved), so it is not reported again; `back`
 * undoes either. Suggested terms are dropped at `MAX_TERMS`.
 */
export function renewTerms(
  stored: readonly StoredTerm[],
  fresh: readonly StoredTerm[],
  { take = [], leave = [], back = [] }: RenewTerms,
): StoredTerm[] {
  const today = new Map(fresh.filter(({ state }) => state === 'auto').map((term) => [sidedKey(term), term]))
  const [taken, left, undone] = [take, leave, back].map((terms) => new Set(terms.map(sidedKey)))
  const news = newsOfTerms(stored, [...today.values()])
  const isNews = new Set([...news.gained, ...news.lost].map(sidedKey))
  /** Returns the new state, or undefined if unchanged. */
  const stateOf = (key: string, isOfToday: boolean): StoredTerm['state'] | undefined => {
    if (taken!.has(key) && isNews.has(key)) return isOfToday ? 'auto' : 'suggested'
    if (left!.has(key) && isNews.has(key)) return isOfToday ? 'rejected' : 'approved'
    return undefined
  }
  const turned = stored.map((term): StoredTerm => {
    const key = sidedKey(term)
    const isOfToday = today.has(key)
    if (undone!.has(key) && term.source !== 'literal' && term.source !== 'user') {
      const isTaken = isOpen(term) && term.state === (isOfToday ? 'auto' : 'suggested')
      const isLeft = isByHand(term) && term.state === (isOfToday ? 'rejected' : 'approved')
      return isTaken || isLeft ? { ...term, state: isOfToday ? 'suggested' : 'auto' } : term
    }
    const state = stateOf(key, isOfToday)
    return state ? { ...term, state } : term
  })
  const known = new Set(stored.map(sidedKey))
  const added = [...today].flatMap(([key, term]) => {
    const state = known.has(key) ? undefined : stateOf(key, true)
    return state ? [{ ...term, state }] : []
  })
  return withinBounds([...turned, ...added])
}

function sidesOf(terms: readonly StoredTerm[]): string {
  return terms
    .filter(({ facet, source }) => facet > 0 && source === 'literal')
    .map(sidedKey)
    .sort()
    .join('|')
}

function newsTerm({ taught: _, ...term }: StoredTerm): NewsTerm {
  return term
}

function withinBounds(terms: readonly StoredTerm[]): StoredTerm[] {
  let over = terms.filter(({ state }) => state !== 'rejected').length - MAX_TERMS
  return terms
    .toReversed()
    .filter((term) => {
      const goes = over > 0 && term.state === 'suggested' && isOpen(term)
      if (goes) over -= 1
      return !goes
    })
    .toReversed()
}
