import { MOST_COMPARED } from '#contract/company/company-params.ts'
import { currentSession, ownerOf } from '#src/lib/session-store.ts'

/** What was compared lately; kept in this browser alone, one list a user, so that the next one on this device sees none of them. */
const KEY = 'tamngan.comparisons'
/** Oldest first out. */
const MOST_KEPT = 6

type Names = readonly string[]

const keyOf = () => `${KEY}.${ownerOf(currentSession()) ?? 'nobody'}`
const same = (one: Names, other: Names) => one.toSorted().join('||') === other.toSorted().join('||')

const isNames = (value: unknown): value is string[] =>
  Array.isArray(value) &&
  value.length >= 2 &&
  value.length <= MOST_COMPARED &&
  value.every((name) => typeof name === 'string' && name !== '')

/** Companies as the address writes them, the newest comparison first. */
export function recentComparisons(): readonly Names[] {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(keyOf()) ?? '[]')
    return Array.isArray(value) ? value.filter(isNames).slice(0, MOST_KEPT) : []
  } catch {
    return []
  }
}

/** Puts a comparison first; the same companies in another order are the same one. */
export function rememberComparison(names: Names): void {
  if (!isNames(names)) return
  const others = recentComparisons().filter((one) => !same(one, names))
  try {
    localStorage.setItem(keyOf(), JSON.stringify([names, ...others].slice(0, MOST_KEPT)))
  } catch {
    // Storage is blocked or full: nothing is offered next time.
  }
}
