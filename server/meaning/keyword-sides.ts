import type { TermSource } from '#contract/keyword-term.ts'
import { closenessTo } from './closeness.ts'
import type { Dictionary } from './dictionary.ts'
import type { TermModel } from './term-model.ts'

export type Side = {
  readonly facet: number
  readonly terms: readonly { readonly term: string; readonly similarity: number; readonly source: TermSource }[]
}

/** Terms of one side that matching can still afford. */
const TERMS_OF_SIDE = 14
/** A side's words come from the reviewed dictionary; the vectors only keep out what the titles use otherwise. */
const AGREED = 0.35

/**
 * The sides of a keyword that is made of two or more concepts of the dictionary (`ปรับปรุง` + `ถนน`), each with its words. A
 * title that has a word of every side is about the keyword, in whatever order. Empty for any other keyword.
 */
export function sidesOf(model: TermModel, concepts: Dictionary, keyword: string): Side[] {
  if (concepts.conceptsOf(keyword).length > 0) return []
  const parts = conceptParts(concepts, keyword)
  if (parts.length < 2) return []
  return parts.map((part, index) => {
    const closeness = closenessTo(model, part)
    const words = concepts
      .wordsFor(part)
      .map((term) => ({ term, similarity: closeness?.ofText(term) ?? 0, source: 'dictionary' as const }))
      .filter(({ similarity }) => similarity >= AGREED)
      .sort((a, b) => b.similarity - a.similarity)
      .slice(0, TERMS_OF_SIDE - 1)
    return { facet: index + 1, terms: [{ term: part, similarity: 1, source: 'literal' }, ...words] }
  })
}

/** The dictionary terms that the keyword is put together from, when they are all of it; else none. */
function conceptParts(concepts: Dictionary, keyword: string): string[] {
  const cut = (rest: string): string[] | undefined => {
    if (rest === '') return []
    for (let length = rest.length; length > 1; length -= 1) {
      const head = rest.slice(0, length)
      if (concepts.conceptsOf(head).length === 0) continue
      const tail = cut(rest.slice(length))
      if (tail) return [head, ...tail]
    }
    return undefined
  }
  return cut(keyword) ?? []
}
