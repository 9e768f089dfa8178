import type { TermSource } from '#contract/matching/keyword-term.ts'
import { closenessTo, closeUnits } from './closeness.ts'
import type { Dictionary } from './dictionary.ts'
import type { TermModel } from './term-model.ts'

type SideTerm = { readonly term: string; readonly similarity: number; readonly source: TermSource }
type Side = { readonly facet: number; readonly terms: readonly SideTerm[] }

/** Terms of one side that matching can still afford. */
const TERMS_OF_SIDE = 14
/** A side's words come from the reviewed dictionary; the vectors only keep out what the titles use otherwise. */
const AGREED = 0.35
/** Learned words of a side: closer than for a whole keyword, since two sides add up their mistakes. */
const CLOSE = { subword: 0.85, context: 0.85 }
/** A part in more titles than this (3 %) says nothing of what is bought: `ระบบ`, `งาน`, `เครื่อง`. */
const GENERIC_SHARE = 0.03
/** A head in more titles than this is a kind of thing rather than a thing. */
const SPECIFIC_SHARE = 0.012

/**
 * The sides of a keyword that is put together from two or more notions (`ปรับปรุง` + `ถนน`), each with its words. A title that
 * has a word of every side is about the keyword, in whatever order. Empty for a keyword of one notion. Yields after each side: 12 ms.
 */
export function* sidesOf(model: TermModel, concepts: Dictionary, keyword: string): Generator<undefined, Side[]> {
  if (concepts.conceptsOf(keyword).length > 0) return []
  const named = conceptParts(concepts, keyword)
  const parts = named.length >= 2 ? named : learnedParts(model, keyword)
  if (parts.length < 2) return []
  const sides: Side[] = []
  for (const part of parts) {
    const others = parts.filter((other) => other !== part)
    sides.push({ facet: sides.length + 1, terms: termsOfSide(model, concepts, part, others) })
    yield
  }
  return sides
}

/** A side's own word and what means the same; nothing that holds the word of another side, or one word would be two sides. */
function termsOfSide(model: TermModel, concepts: Dictionary, part: string, others: readonly string[]): SideTerm[] {
  const closeness = closenessTo(model, part)
  const words: SideTerm[] = concepts
    .wordsFor(part)
    .map((term) => ({ term, similarity: closeness?.ofText(term) ?? 0, source: 'dictionary' as const }))
    .filter(({ similarity }) => similarity >= AGREED)
  for (const { term, similarity } of closeUnits(model, closeness, CLOSE)) {
    if (!concepts.tellsApart(part, term)) words.push({ term, similarity, source: 'learned' })
  }
  const free = words.filter(({ term }) => !others.some((other) => term.includes(other)))
  free.sort((a, b) => b.similarity - a.similarity || (a.term < b.term ? -1 : 1))
  return [{ term: part, similarity: 1, source: 'literal' }, ...free.slice(0, TERMS_OF_SIDE - 1)]
}

/** The dictionary terms that the keyword is put together from, when they are all of it; else none. */
function conceptParts(concepts: Dictionary, keyword: string): string[] {
  // Each rest is tried once: what cannot be cut is met again by every way that leads to it.
  const dead = new Set<number>()
  const cut = (rest: string): string[] | undefined => {
    if (rest === '') return []
    if (dead.has(rest.length)) return undefined
    for (let length = rest.length; length > 1; length -= 1) {
      const head = rest.slice(0, length)
      if (head === keyword || concepts.conceptsOf(head).length === 0) continue
      const tail = cut(rest.slice(length))
      if (tail) return [head, ...tail]
    }
    dead.add(rest.length)
    return undefined
  }
  return cut(keyword) ?? []
}

/** The units that the keyword is put together from, when each is known and says something. */
function learnedParts(model: TermModel, keyword: string): string[] {
  const units = model.segmenter.segment(keyword, model.ids.get(keyword))
  const isPart = ({ id, text }: (typeof units)[number]) => id >= 0 && text.length >= 3 && model.context.has(id)
  if (!units.every(isPart)) return []
  const telling = units.filter(({ id }) => !isGeneric(model, id))
  return telling.length < 2 ? [] : telling.map(({ text }) => text)
}

/** Whether the unit stands in so many titles that it says nothing of what is bought. */
export function isGeneric(model: TermModel, id: number): boolean {
  return model.counts[id]! >= GENERIC_SHARE * 1_000_000
}

/**
 * The first notion of a keyword, when that says what is bought and the rest only what everything is about: `ออกแบบ` of
 * `ออกแบบงานก่อสร้าง`. Thai puts the thing first. Undefined for words of the dictionary, which has what they are.
 */
export function specificHead(model: TermModel, concepts: Dictionary, keyword: string): string | undefined {
  if (concepts.conceptsOf(keyword).length > 0) return undefined
  const [head, ...rest] = model.segmenter.segment(keyword, model.ids.get(keyword))
  if (!head || head.id < 0 || head.text.length < 4 || rest.length === 0 || !model.context.has(head.id)) return undefined
  if (model.counts[head.id]! >= SPECIFIC_SHARE * 1_000_000) return undefined
  return rest.every(({ id }) => id >= 0 && isGeneric(model, id)) ? head.text : undefined
}
