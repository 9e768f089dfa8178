import { toNormalisedSearchText } from '#contract/thai/thai-text.ts'
import { stripTitleBoilerplate, type VocabularyUnitOccurrence } from '#server/platform/text/vocabulary-segmenter.ts'
import type { TermModel } from './term-model.ts'
import { toLoanWordSpellingKey } from './to-loan-word-spelling-key.ts'
import { requiresWordBoundaries } from './word-borders.ts'

export type SimilarTerm = { readonly term: string; readonly similarity: number; readonly titles: number }

export type TermSimilarity = {
  readonly titles: number | undefined
  readonly subword: Float32Array
  readonly context: Float32Array
  /**
   * Returns the mean of the subword and context similarities for a text of one or more units; null if the vocabulary
   * covers none of the text.
   */
  ofText(text: string): number | null
  byRank(): Iterable<SimilarTerm>
}

/** Number of units to rank. Units of lower rank add too little to a reciprocal sum to affect its top. */
const RANKED_UNITS = 200
/** The constant that reciprocal rank fusion usually adds to a rank. */
const RANK_OFFSET = 60
/**
 * Minimum similarity at which words with the same loose spelling count as variants of one word rather than as different
 * words like `กล้อง`, `กล่อง`, `คลอง`. The threshold separates 90 of 522 pairs.
 */
const SAME_WORD_THRESHOLD = 0.6
/** If at least this share of the titles with a unit contain one longer unit around it, the unit never occurs alone. */
const FRAGMENT_THRESHOLD = 0.98
const MIN_KNOWN_SHARE = 0.6

export function computeTermSimilarity(model: TermModel, text: string): TermSimilarity | undefined {
  const parts = partsOf(model, text)
  if (!parts) return undefined
  const subwordVector = model.subword.blend(parts.rows, parts.weights)
  const contextVector = model.context.blend(parts.rows, parts.weights)
  const subword = model.subword.similarities(subwordVector)
  const context = model.context.similarities(contextVector)
  const mean = (id: number) => (subword[id]! + context[id]!) / 2
  return {
    titles: parts.rows.length === 1 ? model.counts[parts.rows[0]!] : undefined,
    subword,
    context,
    ofText(otherText) {
      const otherParts = partsOf(model, otherText)
      if (!otherParts) return null
      if (otherParts.rows.length === 1) return mean(otherParts.rows[0]!)
      const near = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, at) => sum + value * b[at]!, 0)
      return (
        (near(subwordVector, model.subword.blend(otherParts.rows, otherParts.weights)) +
          near(contextVector, model.context.blend(otherParts.rows, otherParts.weights))) /
        2
      )
    },
    *byRank() {
      const scores = new Map<number, number>()
      for (const ranking of [subword, context]) {
        topIds(ranking, RANKED_UNITS).forEach((id, rank) => {
          scores.set(id, (scores.get(id) ?? 0) + 1 / (RANK_OFFSET + rank))
        })
      }
      const order = [...scores].sort((a, b) => b[1] - a[1] || a[0] - b[0])
      for (const [id] of order)
        if (model.context.has(id) && !isWordFragment(model, id))
          yield { term: toNormalisedSearchText(model.words[id]!), similarity: mean(id), titles: model.counts[id]! }
    },
  }
}

export function findSimilarVocabularyUnits(
  model: TermModel,
  closeness: TermSimilarity | undefined,
  cut: { subword: number; context: number },
): SimilarTerm[] {
  if (!closeness) return []
  const units: SimilarTerm[] = []
  for (let id = 0; id < model.words.length; id += 1) {
    const { subword, context } = closeness
    if (subword[id]! < cut.subword || context[id]! < cut.context || isWordFragment(model, id)) continue
    const similarity = (subword[id]! + context[id]!) / 2
    units.push({ term: toNormalisedSearchText(model.words[id]!), similarity, titles: model.counts[id]! })
  }
  return units.sort((a, b) => b.similarity - a.similarity || (a.term < b.term ? -1 : 1))
}

/**
 * Returns spelling variants of the same word, most frequent first: `โน๊ตบุ๊ค` and `โน้ตบุ๊ก`, `อเนกประสงค์` and
 * `เอนกประสงค์`.
 */
export function findSpellingVariants(
  model: TermModel,
  closeness: TermSimilarity | undefined,
  text: string,
): SimilarTerm[] {
  return (looseIds(model).get(toLoanWordSpellingKey(text)) ?? []).flatMap((id) => {
    if (closeness && closeness.subword[id]! < SAME_WORD_THRESHOLD) return []
    const similarity = closeness ? (closeness.subword[id]! + closeness.context[id]!) / 2 : 1
    return [{ term: toNormalisedSearchText(model.words[id]!), similarity, titles: model.counts[id]! }]
  })
}

const wordSegmenter = new Intl.Segmenter('th', { granularity: 'word' })
type FragmentIndex = { readonly byCount: readonly number[]; readonly resultsById: Map<number, boolean> }
const fragmentIndexes = new WeakMap<TermModel, FragmentIndex>()

/**
 * True for a fragment of a word: nearly all titles with the fragment contain a longer unit in which it begins or ends
 * inside a word (`พิวเตอร์`, `องค์การบริหารส่ว`). Only checks units that match without word borders, because a shorter
 * fragment matches nothing.
 */
export function isWordFragment(model: TermModel, id: number): boolean {
  const text = model.words[id]!
  if (requiresWordBoundaries(text)) return false
  let index = fragmentIndexes.get(model)
  if (!index) {
    const byCount = model.words.map((_, unitId) => unitId).sort((a, b) => model.counts[a]! - model.counts[b]! || a - b)
    index = { byCount, resultsById: new Map() }
    fragmentIndexes.set(model, index)
  }
  const { byCount, resultsById } = index
  const cached = resultsById.get(id)
  if (cached !== undefined) return cached
  const least = FRAGMENT_THRESHOLD * model.counts[id]!
  let from = 0
  for (let to = byCount.length; from < to; ) {
    const middle = (from + to) >> 1
    if (model.counts[byCount[middle]!]! < least) from = middle + 1
    else to = middle
  }
  let isInside = false
  for (let at = from; at < byCount.length && !isInside; at += 1) {
    const longerId = byCount[at]!
    if (model.counts[longerId]! > model.counts[id]!) break
    isInside = longerId !== id && startsOrEndsInsideWord(text, model.words[longerId]!)
  }
  resultsById.set(id, isInside)
  return isInside
}

function startsOrEndsInsideWord(fragment: string, text: string): boolean {
  const at = text.indexOf(fragment)
  if (at < 0) return false
  const cuts = new Set([...wordSegmenter.segment(text)].map(({ index }) => index)).add(text.length)
  return !cuts.has(at) || !cuts.has(at + fragment.length)
}

function partsOf(model: TermModel, text: string): { rows: number[]; weights: number[] } | undefined {
  const wholeId = model.ids.get(text) ?? looseIds(model).get(toLoanWordSpellingKey(text))?.[0]
  if (wholeId !== undefined) return { rows: [wholeId], weights: [1] }
  const units = model.segmenter.segment(stripTitleBoilerplate(text))
  // Skip single letters, which carry no meaning although the vocabulary contains them.
  const knownUnits = units.filter((unit) => unit.id >= 0 && unit.text.length > 1)
  const letters = (list: readonly VocabularyUnitOccurrence[]) => list.reduce((sum, unit) => sum + unit.text.length, 0)
  if (letters(knownUnits) < MIN_KNOWN_SHARE * letters(units) || knownUnits.length === 0) return undefined
  return {
    rows: knownUnits.map(({ id }) => id),
    weights: knownUnits.map(({ id }) => computeVocabularyUnitRarity(model, id)),
  }
}

/** Logarithm of the inverse share of titles containing the unit, as in tf-idf. */
export function computeVocabularyUnitRarity(model: TermModel, id: number): number {
  return Math.log(1_000_000 / (model.counts[id]! + 1)) + 1
}

const looseOf = new WeakMap<TermModel, Map<string, number[]>>()

function looseIds(model: TermModel): Map<string, number[]> {
  const cached = looseOf.get(model)
  if (cached) return cached
  const ids = new Map<string, number[]>()
  model.words.forEach((word, id) => {
    const loose = toLoanWordSpellingKey(word)
    if (loose.length < 4) return
    const spellingIds = ids.get(loose)
    if (spellingIds) spellingIds.push(id)
    else ids.set(loose, [id])
  })
  looseOf.set(model, ids)
  return ids
}

function topIds(values: Float32Array, count: number): number[] {
  const sorted = Float32Array.from(values).sort()
  const floor = sorted[Math.max(0, sorted.length - count)]!
  const ids: number[] = []
  values.forEach((value, id) => {
    if (value >= floor) ids.push(id)
  })
  return ids.sort((a, b) => values[b]! - values[a]! || a - b).slice(0, count)
}
