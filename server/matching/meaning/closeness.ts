import { searchForm } from '#contract/thai/thai-text.ts'
import { contentOf, type Unit } from '#server/platform/text/segment.ts'
import { looseSpelling } from './spelling.ts'
import type { TermModel } from './term-model.ts'
import { needsWordBorders } from './word-borders.ts'

export type CloseTerm = { readonly term: string; readonly similarity: number; readonly titles: number }

export type Closeness = {
  /** Titles containing the text if it is a unit, else undefined. */
  readonly titles: number | undefined
  readonly subword: Float32Array
  readonly context: Float32Array
  /**
   * Returns the mean of both similarities for a text of one or more units; null if the vocabulary covers none of it.
   */
  ofText(text: string): number | null
  /** Yields all units, best first, by reciprocal rank fusion. */
  byRank(): Iterable<CloseTerm>
}

/** Lower ranks do not affect the top of a reciprocal sum. */
const RANKED = 200
/** The usual constant of reciprocal rank fusion. */
const RANK_OFFSET = 60
/**
 * Threshold between different words with the same loose spelling (`กล้อง`, `กล่อง`, `คลอง`) and variants of one word:
 * 90 of 522 pairs.
 */
const SAME_SPELLING = 0.6
/** Share of a unit's titles that contain one longer unit, from which it never occurs alone. */
const PIECE_FROM = 0.98
const KNOWN_SHARE = 0.6

/** Returns undefined if the vocabulary covers too little of the text. */
export function closenessTo(model: TermModel, text: string): Closeness | undefined {
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
    ofText(other) {
      const found = partsOf(model, other)
      if (!found) return null
      if (found.rows.length === 1) return mean(found.rows[0]!)
      const near = (own: Float32Array, their: Float32Array) =>
        own.reduce((sum, value, at) => sum + value * their[at]!, 0)
      return (
        (near(subwordVector, model.subword.blend(found.rows, found.weights)) +
          near(contextVector, model.context.blend(found.rows, found.weights))) /
        2
      )
    },
    *byRank() {
      const scores = new Map<number, number>()
      for (const ranking of [subword, context]) {
        topOf(ranking, RANKED).forEach((id, rank) => {
          scores.set(id, (scores.get(id) ?? 0) + 1 / (RANK_OFFSET + rank))
        })
      }
      const order = [...scores].sort((a, b) => b[1] - a[1] || a[0] - b[0])
      for (const [id] of order)
        if (model.context.has(id) && !isPiece(model, id))
          yield { term: searchForm(model.words[id]!), similarity: mean(id), titles: model.counts[id]! }
    },
  }
}

export function closeUnits(
  model: TermModel,
  closeness: Closeness | undefined,
  cut: { subword: number; context: number },
): CloseTerm[] {
  if (!closeness) return []
  const found: CloseTerm[] = []
  for (let id = 0; id < model.words.length; id += 1) {
    const { subword, context } = closeness
    if (subword[id]! < cut.subword || context[id]! < cut.context || isPiece(model, id)) continue
    const similarity = (subword[id]! + context[id]!) / 2
    found.push({ term: searchForm(model.words[id]!), similarity, titles: model.counts[id]! })
  }
  return found.sort((a, b) => b.similarity - a.similarity || (a.term < b.term ? -1 : 1))
}

/**
 * Returns spelling variants of the same word: `โน๊ตบุ๊ค` and `โน้ตบุ๊ก`, `อเนกประสงค์` and `เอนกประสงค์`. Most
 * frequent first.
 */
export function otherSpellings(model: TermModel, closeness: Closeness | undefined, text: string): CloseTerm[] {
  return (looseIds(model).get(looseSpelling(text)) ?? []).flatMap((id) => {
    if (closeness && closeness.subword[id]! < SAME_SPELLING) return []
    const similarity = closeness ? (closeness.subword[id]! + closeness.context[id]!) / 2 : 1
    return [{ term: searchForm(model.words[id]!), similarity, titles: model.counts[id]! }]
  })
}

const wordSegmenter = new Intl.Segmenter('th', { granularity: 'word' })
type Pieces = { readonly byCount: readonly number[]; readonly known: Map<number, boolean> }
const piecesOf = new WeakMap<TermModel, Pieces>()

/**
 * True for a fragment of a word: nearly all its titles contain a longer unit in which it begins or ends inside a word
 * (`พิวเตอร์`, `องค์การบริหารส่ว`). Only checks units that match without word borders; a shorter fragment matches
 * nothing.
 */
export function isPiece(model: TermModel, id: number): boolean {
  const text = model.words[id]!
  if (needsWordBorders(text)) return false
  let pieces = piecesOf.get(model)
  if (!pieces) {
    const byCount = model.words.map((_, other) => other).sort((a, b) => model.counts[a]! - model.counts[b]! || a - b)
    pieces = { byCount, known: new Map() }
    piecesOf.set(model, pieces)
  }
  const { byCount, known } = pieces
  const before = known.get(id)
  if (before !== undefined) return before
  const least = PIECE_FROM * model.counts[id]!
  let from = 0
  for (let to = byCount.length; from < to; ) {
    const middle = (from + to) >> 1
    if (model.counts[byCount[middle]!]! < least) from = middle + 1
    else to = middle
  }
  let found = false
  for (let at = from; at < byCount.length && !found; at += 1) {
    const other = byCount[at]!
    if (model.counts[other]! > model.counts[id]!) break
    found = other !== id && standsInside(text, model.words[other]!)
  }
  known.set(id, found)
  return found
}

function standsInside(piece: string, text: string): boolean {
  const at = text.indexOf(piece)
  if (at < 0) return false
  const cuts = new Set([...wordSegmenter.segment(text)].map(({ index }) => index)).add(text.length)
  return !cuts.has(at) || !cuts.has(at + piece.length)
}

function partsOf(model: TermModel, text: string): { rows: number[]; weights: number[] } | undefined {
  const whole = model.ids.get(text) ?? looseIds(model).get(looseSpelling(text))?.[0]
  if (whole !== undefined) return { rows: [whole], weights: [1] }
  const units = model.segmenter.segment(contentOf(text))
  // Single letters carry no meaning, although the vocabulary contains them.
  const known = units.filter((unit) => unit.id >= 0 && unit.text.length > 1)
  const letters = (list: readonly Unit[]) => list.reduce((sum, unit) => sum + unit.text.length, 0)
  if (letters(known) < KNOWN_SHARE * letters(units) || known.length === 0) return undefined
  return { rows: known.map(({ id }) => id), weights: known.map(({ id }) => rarity(model, id)) }
}

/** Logarithm of the inverse share of titles containing the unit, as in tf-idf. */
export function rarity(model: TermModel, id: number): number {
  return Math.log(1_000_000 / (model.counts[id]! + 1)) + 1
}

const looseOf = new WeakMap<TermModel, Map<string, number[]>>()

function looseIds(model: TermModel): Map<string, number[]> {
  const known = looseOf.get(model)
  if (known) return known
  const ids = new Map<string, number[]>()
  model.words.forEach((word, id) => {
    const loose = looseSpelling(word)
    if (loose.length < 4) return
    const own = ids.get(loose)
    if (own) own.push(id)
    else ids.set(loose, [id])
  })
  looseOf.set(model, ids)
  return ids
}

function topOf(values: Float32Array, count: number): number[] {
  const sorted = Float32Array.from(values).sort()
  const floor = sorted[Math.max(0, sorted.length - count)]!
  const found: number[] = []
  values.forEach((value, id) => {
    if (value >= floor) found.push(id)
  })
  return found.sort((a, b) => values[b]! - values[a]! || a - b).slice(0, count)
}
