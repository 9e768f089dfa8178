/** Titles that contain the same terms, so no choice of terms can separate them. */
export type TitleGroup = {
  readonly termIndexes: readonly number[]
  readonly titleIndexes: readonly number[]
}

/** A term of facet 0 matches alone; terms of other facets must match together. */
export type KeywordConceptTerm = { readonly facet: number; readonly acts: boolean }

/** Groups titles by the terms they contain. `titlesByTerm[i]`: ascending indexes of titles that contain term `i`. */
export function groupTitlesByTerms(titlesByTerm: readonly (readonly number[])[]): TitleGroup[] {
  const termsByTitle = new Map<number, number[]>()
  titlesByTerm.forEach((titles, term) => {
    for (const title of titles) {
      const terms = termsByTitle.get(title)
      if (terms) terms.push(term)
      else termsByTitle.set(title, [term])
    }
  })
  const groups = new Map<string, { termIndexes: readonly number[]; titleIndexes: number[] }>()
  for (const [title, terms] of termsByTitle) {
    const key = terms.join()
    const group = groups.get(key)
    if (group) group.titleIndexes.push(title)
    else groups.set(key, { termIndexes: terms, titleIndexes: [title] })
  }
  for (const { titleIndexes } of groups.values()) titleIndexes.sort((a, b) => a - b)
  return [...groups.values()]
}

export function getKeywordConceptNumbers(terms: readonly Pick<KeywordConceptTerm, 'facet'>[]): number[] {
  return [...new Set(terms.map(({ facet }) => facet))].filter((facet) => facet > 0).sort((a, b) => a - b)
}

export function isTitleGroupMatched(
  terms: readonly KeywordConceptTerm[],
  termIndexes: readonly number[],
  facets: readonly number[],
): boolean {
  const hasTermOf = (facet: number) => termIndexes.some((index) => terms[index]!.facet === facet && terms[index]!.acts)
  return hasTermOf(0) || (facets.length > 0 && facets.every(hasTermOf))
}

export function findDecidingTerms(
  terms: readonly KeywordConceptTerm[],
  termIndexes: readonly number[],
  facets: readonly number[],
): readonly number[] {
  const actingOf = (facet: number) => termIndexes.filter((index) => terms[index]!.facet === facet && terms[index]!.acts)
  const standalone = actingOf(0)
  const sides = facets.map((facet) => ({ facet, acting: actingOf(facet) }))
  const missingSides = sides.filter(({ acting }) => acting.length === 0)
  const containsSides = facets.length > 0 && missingSides.length === 0
  if (standalone.length + (containsSides ? 1 : 0) > 1) return []
  if (standalone.length === 1) return standalone
  if (containsSides) return sides.flatMap(({ acting }) => (acting.length === 1 ? acting : []))
  return termIndexes.filter((index) => {
    const { facet, acts } = terms[index]!
    return !acts && (facet === 0 || (missingSides.length === 1 && missingSides[0]!.facet === facet))
  })
}

export type KeywordEvidenceTerm = KeywordConceptTerm & { readonly term: string }

/**
 * Returns for each term the indexes of the titles that it alone decides: an active term loses these titles when it is
 * switched off, an inactive one gains them when switched on. A title matches if it contains a term of facet 0, or one
 * of every other facet.
 */
export function findTitlesDecidedByTerm(
  terms: readonly KeywordEvidenceTerm[],
  titlesByTerm: ReadonlyMap<string, readonly number[]>,
): number[][] {
  const decided = terms.map((): number[] => [])
  const facets = getKeywordConceptNumbers(terms)
  for (const { termIndexes, titleIndexes: titles } of groupTitlesByTerms(
    terms.map(({ term }) => titlesByTerm.get(term) ?? []),
  )) {
    for (const index of findDecidingTerms(terms, termIndexes, facets)) decided[index]!.push(...titles)
  }
  for (const list of decided) list.sort((a, b) => a - b)
  return decided
}

export function pickEvenlySpaced(indexes: readonly number[], count: number): number[] {
  if (indexes.length <= count) return [...indexes]
  return Array.from({ length: count }, (_, at) => indexes[Math.floor(((at + 0.5) * indexes.length) / count)]!)
}
