import type { EvidenceRequest } from '#contract/keyword/term-evidence.ts'

export type AskedTerm = EvidenceRequest['terms'][number]

/** Places of titles, ascending: of each term by its text. */
type Places = ReadonlyMap<string, readonly number[]>

/**
 * For each term, in order, the places of the titles that it alone decides: those of an acting term are lost without it, those of another
 * come in with it. A title is found by a term of side 0, or by one of every other side.
 */
export function placesThatDecide(terms: readonly AskedTerm[], places: Places): number[][] {
  const decided = terms.map((): number[] => [])
  const facets = [...new Set(terms.map(({ facet }) => facet))].filter((facet) => facet > 0)
  const held = new Map<number, number[]>()
  terms.forEach(({ term }, index) => {
    for (const place of places.get(term) ?? []) {
      const own = held.get(place)
      if (own) own.push(index)
      else held.set(place, [index])
    }
  })
  for (const [place, own] of held) for (const index of deciders(terms, own, facets)) decided[index]!.push(place)
  for (const list of decided) list.sort((a, b) => a - b)
  return decided
}

/** Of the terms that a title holds, those whose turning would let it in or lose it. */
function deciders(terms: readonly AskedTerm[], own: readonly number[], facets: readonly number[]): readonly number[] {
  const actingOf = (facet: number) => own.filter((index) => terms[index]!.facet === facet && terms[index]!.acts)
  const alone = actingOf(0)
  const sides = facets.map((facet) => ({ facet, acting: actingOf(facet) }))
  const missing = sides.filter(({ acting }) => acting.length === 0)
  const holdsSides = facets.length > 0 && missing.length === 0
  if (alone.length + (holdsSides ? 1 : 0) > 1) return []
  if (alone.length === 1) return alone
  if (holdsSides) return sides.flatMap(({ acting }) => (acting.length === 1 ? acting : []))
  return own.filter((index) => {
    const { facet, acts } = terms[index]!
    return !acts && (facet === 0 || (missing.length === 1 && missing[0]!.facet === facet))
  })
}

/** So many of the places, from all over them. */
export function spread(places: readonly number[], count: number): number[] {
  if (places.length <= count) return [...places]
  return Array.from({ length: count }, (_, at) => places[Math.floor(((at + 0.5) * places.length) / count)]!)
}
