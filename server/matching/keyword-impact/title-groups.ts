/** Titles containing the same terms, which no choice of terms can separate. */
export type TitleGroup = {
  readonly held: readonly number[]
  readonly places: readonly number[]
}

/** Facet 0 matches alone; other facets must match together. */
export type SidedTerm = { readonly facet: number; readonly acts: boolean }

/** Groups titles by the terms they contain. `placesOf[i]`: ascending indexes of titles that contain term `i`. */
export function groupTitles(placesOf: readonly (readonly number[])[]): TitleGroup[] {
  const held = new Map<number, number[]>()
  placesOf.forEach((places, term) => {
    for (const place of places) {
      const own = held.get(place)
      if (own) own.push(term)
      else held.set(place, [term])
    }
  })
  const groups = new Map<string, { held: readonly number[]; places: number[] }>()
  for (const [place, own] of held) {
    const key = own.join()
    const group = groups.get(key)
    if (group) group.places.push(place)
    else groups.set(key, { held: own, places: [place] })
  }
  for (const { places } of groups.values()) places.sort((a, b) => a - b)
  return [...groups.values()]
}

export function facetsOf(terms: readonly Pick<SidedTerm, 'facet'>[]): number[] {
  return [...new Set(terms.map(({ facet }) => facet))].filter((facet) => facet > 0).sort((a, b) => a - b)
}

export function isFound(terms: readonly SidedTerm[], held: readonly number[], facets: readonly number[]): boolean {
  const has = (facet: number) => held.some((index) => terms[index]!.facet === facet && terms[index]!.acts)
  return has(0) || (facets.length > 0 && facets.every(has))
}

/** Returns the terms of a title whose activation or deactivation alone would add or drop it. */
export function deciders(
  terms: readonly SidedTerm[],
  held: readonly number[],
  facets: readonly number[],
): readonly number[] {
  const actingOf = (facet: number) => held.filter((index) => terms[index]!.facet === facet && terms[index]!.acts)
  const alone = actingOf(0)
  const sides = facets.map((facet) => ({ facet, acting: actingOf(facet) }))
  const missing = sides.filter(({ acting }) => acting.length === 0)
  const holdsSides = facets.length > 0 && missing.length === 0
  if (alone.length + (holdsSides ? 1 : 0) > 1) return []
  if (alone.length === 1) return alone
  if (holdsSides) return sides.flatMap(({ acting }) => (acting.length === 1 ? acting : []))
  return held.filter((index) => {
    const { facet, acts } = terms[index]!
    return !acts && (facet === 0 || (missing.length === 1 && missing[0]!.facet === facet))
  })
}

export type AskedTerm = SidedTerm & { readonly term: string }

/**
 * Returns for each term the indexes of the titles it alone decides: an active term loses them when switched off, an
 * inactive one gains them when switched on. A title matches by a term of facet 0 or one of every other facet.
 */
export function placesThatDecide(
  terms: readonly AskedTerm[],
  places: ReadonlyMap<string, readonly number[]>,
): number[][] {
  const decided = terms.map((): number[] => [])
  const facets = facetsOf(terms)
  for (const { held, places: own } of groupTitles(terms.map(({ term }) => places.get(term) ?? []))) {
    for (const index of deciders(terms, held, facets)) decided[index]!.push(...own)
  }
  for (const list of decided) list.sort((a, b) => a - b)
  return decided
}

export function spread(places: readonly number[], count: number): number[] {
  if (places.length <= count) return [...places]
  return Array.from({ length: count }, (_, at) => places[Math.floor(((at + 0.5) * places.length) / count)]!)
}
