import { searchForm } from '../thai/thai-text.ts'

/**
 * Search by meaning (`ai_deep_search__in`): each value is expanded into terms, and a name that contains them matches.
 */

/**
 * Limits of values per search and characters per value. Each value takes about 0.2 s for 20,000 projects, longer ones
 * more; five exceed observed use, and the total stays within the query time limit.
 */
export const DEEP_SEARCH_LIMITS = { values: 5, characters: 100 } as const

export const DEEP_SEARCH_LIMITS_TEXT = `ใส่ได้ไม่เกิน ${DEEP_SEARCH_LIMITS.values} ข้อความ คั่นด้วย || ข้อความละไม่เกิน ${DEEP_SEARCH_LIMITS.characters} ตัวอักษร`

export function fitsDeepSearch(values: readonly string[]): boolean {
  const { values: maxValues, characters } = DEEP_SEARCH_LIMITS
  return values.length <= maxValues && values.every((value) => value.length <= characters)
}

/** A term of an expansion. `facet` as in `keywordTermSchema`: 0 matches alone, from 1 every facet is required. */
export type DeepTerm = { readonly term: string; readonly similarity: number; readonly facet: number }
export type DeepHit = { readonly similarity: number; readonly terms: readonly string[] }

/** Tests whether a name contains a term, both in search form; short terms only as a whole word. */
export type ContainsTerm = (name: string, term: string) => boolean

/**
 * Compiles an expansion into a matcher for names in search form, which returns undefined for no match. The similarity
 * is that of a term that matches alone, or of the weakest facet when all match, whichever is higher.
 */
export function deepMatcher(
  terms: readonly DeepTerm[],
  containsTerm: ContainsTerm,
): (name: string) => DeepHit | undefined {
  const closestFirst = terms
    .map((term) => ({ ...term, form: searchForm(term.term) }))
    .sort((a, b) => b.similarity - a.similarity)
  const facets = [...Map.groupBy(closestFirst, ({ facet }) => facet)]
  const standaloneTerms = facets.find(([facet]) => facet === 0)?.[1] ?? []
  const sides = facets.filter(([facet]) => facet > 0).map(([, group]) => group)
  return (name) => {
    const matches = sides.flatMap((group) => group.find(({ form }) => containsTerm(name, form)) ?? [])
    const weakest = matches.length > 0 && matches.length === sides.length ? minOf(matches) : -1
    const best = standaloneTerms.find(({ form, similarity }) => similarity >= weakest && containsTerm(name, form))
    if (best) return { similarity: best.similarity, terms: [best.term] }
    return weakest < 0 ? undefined : { similarity: weakest, terms: [...new Set(matches.map(({ term }) => term))] }
  }
}

const minOf = (terms: readonly DeepTerm[]) => Math.min(...terms.map(({ similarity }) => similarity))

/** Similarity levels, chosen by inspection: scores rank results well but mean little as absolute numbers. */
export const DEEP_LEVELS = [
  { code: 'high', th: 'ใกล้เคียงมาก', from: 0.8 },
  { code: 'medium', th: 'ใกล้เคียง', from: 0.55 },
  { code: 'low', th: 'อาจเกี่ยวข้อง', from: 0 },
] as const

export function deepLevel(score: number): (typeof DEEP_LEVELS)[number] {
  return DEEP_LEVELS.find(({ from }) => score >= from)!
}
