import { toNormalisedSearchText } from '../thai/thai-text.ts'

/**
 * Search by meaning (`ai_deep_search__in`): each value is expanded into terms, and a project matches if its name
 * contains them.
 */

/**
 * Maximum values per search and maximum characters per value. Each value takes about 0.2 s for 20,000 projects, longer
 * ones more; five values exceed observed use, and the total stays within the query time limit.
 */
export const SEMANTIC_SEARCH_LIMITS = { values: 5, characters: 100 } as const

export const SEMANTIC_SEARCH_LIMITS_MESSAGE = `ใส่ได้ไม่เกิน ${SEMANTIC_SEARCH_LIMITS.values} ข้อความ คั่นด้วย || ข้อความละไม่เกิน ${SEMANTIC_SEARCH_LIMITS.characters} ตัวอักษร`

export function fitsSemanticSearchLimits(values: readonly string[]): boolean {
  const { values: maxValues, characters } = SEMANTIC_SEARCH_LIMITS
  return values.length <= maxValues && values.every((value) => value.length <= characters)
}

/**
 * A term of an expansion. `facet` is defined as in `keywordTermSchema`: 0 matches alone; from 1, a name must contain a
 * term of every facet.
 */
export type SemanticSearchTerm = { readonly term: string; readonly similarity: number; readonly facet: number }
export type SemanticSearchMatch = { readonly similarity: number; readonly terms: readonly string[] }

/**
 * Creates a scanner for terms normalised by `toNormalisedSearchText`. The scanner reads a name, normalised likewise,
 * once, and returns a test by index of the term; short terms match only as a whole word.
 */
export type SemanticSearchScannerFactory = (terms: readonly string[]) => (name: string) => (term: number) => boolean

/**
 * Compiles an expansion into a matcher for names normalised by `toNormalisedSearchText`; the matcher returns undefined for no
 * match. The similarity is that of a term that matches alone, or of the weakest facet if all facets match, whichever is
 * higher.
 */
export function compileSemanticSearchMatcher(
  terms: readonly SemanticSearchTerm[],
  createScanner: SemanticSearchScannerFactory,
): (name: string) => SemanticSearchMatch | undefined {
  const forms = [...new Set(terms.map(({ term }) => toNormalisedSearchText(term)))].filter((form) => form !== '')
  const scan = createScanner(forms)
  const closestFirst = terms
    .map((term) => ({ ...term, form: forms.indexOf(toNormalisedSearchText(term.term)) }))
    .sort((a, b) => b.similarity - a.similarity)
  const facets = [...Map.groupBy(closestFirst, ({ facet }) => facet)]
  const standaloneTerms = (facets.find(([facet]) => facet === 0)?.[1] ?? []).map((term) => ({
    ...term,
    // Created once, because a common word matches 650,000 names.
    match: { similarity: term.similarity, terms: [term.term] },
  }))
  const sides = facets.filter(([facet]) => facet > 0).map(([, group]) => group)
  /** Matches of all facets by their terms, shared by all names for the same reason. */
  const composed = new Map<string, SemanticSearchMatch>()
  const maxWeakest = sides.length === 0 ? -1 : minOf(sides.map(([closest]) => closest!))
  return (name) => {
    const contains = scan(name)
    const isContained = ({ form }: { readonly form: number }) => form >= 0 && contains(form)
    // Looking up word borders dominates the cost, so skip the facets when a term that they cannot exceed matches alone.
    const closest = standaloneTerms.find((term) => term.similarity >= maxWeakest && isContained(term))
    if (closest) return closest.match
    const matches: (typeof closestFirst)[number][] = []
    for (const group of sides) {
      const match = group.find(isContained)
      if (!match) break
      matches.push(match)
    }
    const weakest = matches.length > 0 && matches.length === sides.length ? minOf(matches) : -1
    const best = standaloneTerms.find(
      (term) => term.similarity >= weakest && term.similarity < maxWeakest && isContained(term),
    )
    if (best) return best.match
    if (weakest < 0) return undefined
    const key = matches.map(({ form }) => form).join()
    const match = composed.get(key) ?? { similarity: weakest, terms: [...new Set(matches.map(({ term }) => term))] }
    composed.set(key, match)
    return match
  }
}

const minOf = (terms: readonly SemanticSearchTerm[]) => Math.min(...terms.map(({ similarity }) => similarity))

/** Similarity levels, chosen by inspecting results: scores rank results well but mean little as absolute numbers. */
export const SIMILARITY_LEVELS = [
  { code: 'high', th: 'ใกล้เคียงมาก', from: 0.8 },
  { code: 'medium', th: 'ใกล้เคียง', from: 0.55 },
  { code: 'low', th: 'อาจเกี่ยวข้อง', from: 0 },
] as const

export function getSimilarityLevel(score: number): (typeof SIMILARITY_LEVELS)[number] {
  return SIMILARITY_LEVELS.find(({ from }) => score >= from)!
}
