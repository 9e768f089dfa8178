import type { KeywordTermSource } from '#contract/matching/keyword-term.ts'
import type { ConceptDictionary } from './concept-dictionary.ts'
import type { TermModel } from './term-model.ts'
import { computeTermSimilarity, findSimilarVocabularyUnits } from './term-similarity.ts'

type SideTerm = { readonly term: string; readonly similarity: number; readonly source: KeywordTermSource }
type Side = { readonly facet: number; readonly terms: readonly SideTerm[] }

const MAX_TERMS_PER_SIDE = 14
/**
 * Minimum similarity for dictionary words of a side. Low, so that it drops only words that titles use in another sense.
 */
const MIN_SIDE_SIMILARITY = 0.35
/**
 * Minimum similarities for learned words of a side. They are stricter than for a whole keyword, because the errors of
 * two sides add up.
 */
const SIDE_CUT = { subword: 0.85, context: 0.85 }
/**
 * In a larger share of titles than this, a unit does not describe what is bought (`ระบบ`, `งาน`, `เครื่อง`); in a
 * larger share than the next, a head noun is a category rather than a thing.
 */
const GENERIC_SHARE = 0.03
const SPECIFIC_SHARE = 0.012
/** A part occurs in at least so many times as many titles as the whole. */
const MIN_PART_RATIO = 1.5

/**
 * Returns the sides of a keyword composed of several notions (`ปรับปรุง` + `ถนน`) with their synonyms. A title matches
 * if it contains a word of every side, in any order. Yields after each side, which takes 12 ms.
 */
export function* findSidesOfParts(
  model: TermModel,
  concepts: ConceptDictionary,
  parts: readonly string[],
): Generator<undefined, Side[]> {
  const sides: Side[] = []
  for (const part of parts) {
    const otherParts = parts.filter((candidate) => candidate !== part)
    sides.push({ facet: sides.length + 1, terms: termsOfSide(model, concepts, part, otherParts) })
    yield
  }
  return sides
}

/**
 * Returns the side's main word and its synonyms. Excludes synonyms that contain another side's word, because they would
 * satisfy both sides at once.
 */
function termsOfSide(
  model: TermModel,
  concepts: ConceptDictionary,
  part: string,
  otherParts: readonly string[],
): SideTerm[] {
  const closeness = computeTermSimilarity(model, part)
  const words: SideTerm[] = concepts
    .wordsFor(part)
    .map((term) => ({ term, similarity: closeness?.ofText(term) ?? 0, source: 'dictionary' as const }))
    .filter(({ similarity }) => similarity >= MIN_SIDE_SIMILARITY)
  for (const { term, similarity } of findSimilarVocabularyUnits(model, closeness, SIDE_CUT)) {
    if (!concepts.isUnrelated(part, term)) words.push({ term, similarity, source: 'learned' })
  }
  const allowed = words.filter(({ term }) => !otherParts.some((otherPart) => term.includes(otherPart)))
  allowed.sort((a, b) => b.similarity - a.similarity || (a.term < b.term ? -1 : 1))
  return [{ term: part, similarity: 1, source: 'literal' }, ...allowed.slice(0, MAX_TERMS_PER_SIDE - 1)]
}

/** Returns the notions that a keyword is composed of; an empty list for a single notion. */
export function splitKeywordIntoParts(model: TermModel, concepts: ConceptDictionary, keyword: string): string[] {
  if (concepts.conceptsOf(keyword).length > 0) return []
  const conceptNames = conceptParts(concepts, keyword)
  return conceptNames.length >= 2 ? conceptNames : learnedParts(model, keyword)
}

function conceptParts(concepts: ConceptDictionary, keyword: string): string[] {
  // Memoises suffixes that cannot be split, which would otherwise be retried on every path.
  const dead = new Set<number>()
  const cut = (suffix: string): string[] | undefined => {
    if (suffix === '') return []
    if (dead.has(suffix.length)) return undefined
    for (let length = suffix.length; length > 1; length -= 1) {
      const head = suffix.slice(0, length)
      if (head === keyword || concepts.conceptsOf(head).length === 0) continue
      const tail = cut(suffix.slice(length))
      if (tail) return [head, ...tail]
    }
    dead.add(suffix.length)
    return undefined
  }
  return cut(keyword) ?? []
}

function learnedParts(model: TermModel, keyword: string): string[] {
  const id = model.ids.get(keyword)
  const units = model.segmenter.segment(keyword, id)
  // Loan words are cut into syllables (`เทรล` + `เลอร์`), which hardly occur alone.
  const minTitles = id === undefined ? 0 : model.counts[id]! * MIN_PART_RATIO
  const isPart = (unit: (typeof units)[number]) =>
    unit.id >= 0 && unit.text.length >= 3 && model.context.has(unit.id) && model.counts[unit.id]! >= minTitles
  if (!units.every(isPart)) return []
  const specificUnits = units.filter((unit) => !isGenericVocabularyUnit(model, unit.id))
  return specificUnits.length < 2 ? [] : specificUnits.map(({ text }) => text)
}

export function isGenericVocabularyUnit(model: TermModel, id: number): boolean {
  return model.counts[id]! >= GENERIC_SHARE * 1_000_000
}

/**
 * Returns the first notion of a keyword if it names what is bought and the remainder is generic: `ออกแบบ` of
 * `ออกแบบงานก่อสร้าง`. In Thai the main noun comes first. Returns undefined for dictionary words.
 */
export function findSpecificHeadNoun(
  model: TermModel,
  concepts: ConceptDictionary,
  keyword: string,
): string | undefined {
  if (concepts.conceptsOf(keyword).length > 0) return undefined
  const [head, ...rest] = model.segmenter.segment(keyword, model.ids.get(keyword))
  if (!head || head.id < 0 || head.text.length < 4 || rest.length === 0 || !model.context.has(head.id)) return undefined
  if (model.counts[head.id]! >= SPECIFIC_SHARE * 1_000_000) return undefined
  return rest.every(({ id }) => id >= 0 && isGenericVocabularyUnit(model, id)) ? head.text : undefined
}
