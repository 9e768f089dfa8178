import { MAX_TERMS, type RenewTerms } from '#contract/matching/keyword-term.ts'
import type { NewsOfKeyword, NewsTerm } from '#contract/matching/term-news.ts'
import { searchForm } from '#contract/thai/thai-text.ts'
import { covers } from '#server/matching/meaning/expand-keyword.ts'
import { isByHand, sidedKey } from './decide-terms.ts'
import type { StoredTerm } from './keyword-terms.ts'

type Sided = Pick<StoredTerm, 'facet' | 'term'>

/** Nobody has said anything of the term: neither a hand nor answers about titles. */
const isOpen = ({ state, taught }: StoredTerm) => taught !== true && (state === 'auto' || state === 'suggested')

/**
 * What acts unasked by today's engine and not by the stored terms, and the other way round, as far as nobody decided about it. `today`: what
 * acts unasked today. Left out: what could not change a hit, because an acting term finds all its titles; and sides where the word is cut into others
 * today, since terms of one cut say nothing among those of another.
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
 * The terms after somebody took or left what is new of the word. Every decision stays, also one taken meanwhile: only open terms turn. What is
 * left becomes a decision itself, unticked or ticked, so that it is told of no more; `back` takes either back. What waits gives way at `MAX_TERMS`.
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
  /** The state that the term gets; undefined where it stays as it is. */
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

/** The own word of each side, in their order. */
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
