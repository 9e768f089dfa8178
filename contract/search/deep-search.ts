import { searchForm } from '../thai/thai-text.ts'

/** Searching by meaning (`ai_deep_search__in`): a value is expanded into terms, and a name is a hit when it holds them. */

/**
 * Most values of one search, and the longest one in characters. Each value costs the server about 0.2 s of work for 20,000 projects, a long one more; five are
 * more than anybody typed, and the sum stays within the time limit of a question.
 */
export const DEEP_SEARCH_LIMITS = { values: 5, characters: 100 } as const

/** Names the bounds, for a search beyond one of them. */
export const DEEP_SEARCH_LIMITS_TEXT = `ใส่ได้ไม่เกิน ${DEEP_SEARCH_LIMITS.values} ข้อความ คั่นด้วย || ข้อความละไม่เกิน ${DEEP_SEARCH_LIMITS.characters} ตัวอักษร`

/** Whether values of `ai_deep_search__in` stay within the bounds. */
export function fitsDeepSearch(values: readonly string[]): boolean {
  const { values: most, characters } = DEEP_SEARCH_LIMITS
  return values.length <= most && values.every((value) => value.length <= characters)
}

/** One term of an expansion. `facet` as in `keywordTermSchema`: 0 alone is a hit, from 1 every facet must be found. */
export type DeepTerm = { readonly term: string; readonly similarity: number; readonly facet: number }
/** How close the best of the found terms is, and the terms themselves. */
export type DeepHit = { readonly similarity: number; readonly terms: readonly string[] }

/** Says whether a name holds a term, both in search form: short ones only as a whole word. */
export type HoldsTerm = (name: string, term: string) => boolean

/**
 * Prepares an expansion for many names in search form: what of it stands in a name, or undefined when it is no hit. The closest
 * decides: a term that is a hit alone, or the weakest of the facets when all of them are found.
 */
export function deepMatcher(terms: readonly DeepTerm[], holds: HoldsTerm): (name: string) => DeepHit | undefined {
  const closestFirst = terms
    .map((term) => ({ ...term, form: searchForm(term.term) }))
    .sort((a, b) => b.similarity - a.similarity)
  const facets = [...Map.groupBy(closestFirst, ({ facet }) => facet)]
  const alone = facets.find(([facet]) => facet === 0)?.[1] ?? []
  const sides = facets.filter(([facet]) => facet > 0).map(([, group]) => group)
  return (name) => {
    const found = sides.flatMap((group) => group.find(({ form }) => holds(name, form)) ?? [])
    const weakest = found.length > 0 && found.length === sides.length ? minOf(found) : -1
    const best = alone.find(({ form, similarity }) => similarity >= weakest && holds(name, form))
    if (best) return { similarity: best.similarity, terms: [best.term] }
    return weakest < 0 ? undefined : { similarity: weakest, terms: [...new Set(found.map(({ term }) => term))] }
  }
}

const minOf = (terms: readonly DeepTerm[]) => Math.min(...terms.map(({ similarity }) => similarity))

/** How close, in words. Chosen by reading: scores order well and mean little as numbers (matching by meaning). */
export const DEEP_LEVELS = [
  { code: 'high', th: 'ใกล้เคียงมาก', from: 0.8 },
  { code: 'medium', th: 'ใกล้เคียง', from: 0.55 },
  { code: 'low', th: 'อาจเกี่ยวข้อง', from: 0 },
] as const

/** The level of a score between 0 and 1. */
export function deepLevel(score: number): (typeof DEEP_LEVELS)[number] {
  return DEEP_LEVELS.find(({ from }) => score >= from)!
}
