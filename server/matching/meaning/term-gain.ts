import { readFileSync } from 'node:fs'
import path from 'node:path'
import { toNormalisedSearchText } from '#contract/thai/thai-text.ts'
import {
  extendToWholeWords,
  isKeywordRemainderGeneric,
  isModifierTerm,
  isProcurementProcedureTerm,
} from './broader-terms.ts'
import type { ConceptDictionary } from './concept-dictionary.ts'
import { isGenericVocabularyUnit } from './keyword-sides.ts'
import { findKeywordSubject } from './keyword-subject.ts'
import { loadTermModelMetadata, TERM_MODEL_FOLDER, type TermModel } from './term-model.ts'
import { computeTermSimilarity, computeVocabularyUnitRarity, type TermSimilarity } from './term-similarity.ts'
import { containsWholeTerm } from './word-borders.ts'

/**
 * Orders what is offered for a keyword by expected gain: the probability that a title which the term adds is relevant,
 * times the share of the relevant titles that it adds. `scripts/train-term-gain.ts` fits both to the development halves
 * of the benchmark.
 */

export type GainSubject = {
  readonly keyword: string
  readonly text: string
  readonly similarity: TermSimilarity
  readonly acting: readonly string[]
}

export type TermOffer = {
  readonly term: string
  readonly similarity: number
  readonly features: readonly number[]
  readonly gain: number
}

/** Units of lower rank are hardly ever among the first offers, and 150 take 4 ms. */
const MAX_CANDIDATES = 150
/** A word in 5 % of the titles would bring mostly other work; as a word of a list it needs approval (D11). */
const MAX_TITLE_SHARE = 0.05
/** Assumed number of titles for a subject of several units, whose frequency is unknown. */
const UNKNOWN_TITLES = 200

export function findTermOffers(
  model: TermModel,
  concepts: ConceptDictionary,
  subject: GainSubject,
  weights: GainWeights = loadGainWeights(),
): TermOffer[] {
  const describe = createTermDescriber(model, concepts, subject)
  const maxTitles = MAX_TITLE_SHARE * loadTermModelMetadata().titles
  const offers = new Map<string, TermOffer>()
  const add = (id: number, term: string, rank: number) => {
    // A number is a size or a model of one title.
    if (term.length < 2 || /^\d/.test(term) || offers.has(term)) return
    if (isProcurementProcedureTerm(subject.keyword, term) || model.counts[id]! > maxTitles) return
    if (subject.acting.some((other) => containsWholeTerm(other, term))) return
    const features = describe(id, term, rank)
    const similarity = (subject.similarity.subword[id]! + subject.similarity.context[id]!) / 2
    offers.set(term, { term, similarity, features, gain: computeGain(features, weights) })
  }
  for (const word of concepts.wordsFor(subject.text)) {
    const id = model.ids.get(word)
    if (id !== undefined) add(id, word, MAX_CANDIDATES)
  }
  let rank = 0
  for (const { term: unit } of subject.similarity.byRank()) {
    if (rank >= MAX_CANDIDATES) break
    const term = extendToWholeWords(subject.keyword, unit)
    const id = model.ids.get(term) ?? model.ids.get(unit)
    if (id !== undefined) add(id, term, rank)
    rank += 1
  }
  for (const { id, text } of model.segmenter.segment(subject.keyword, model.ids.get(subject.keyword)))
    if (id >= 0 && model.context.has(id)) add(id, extendToWholeWords(subject.keyword, text), MAX_CANDIDATES)
  return [...offers.values()].sort((a, b) => b.gain - a.gain || (a.term < b.term ? -1 : 1))
}

/**
 * Returns the expected share of relevant titles among those that each unit would add to the keyword; undefined if the
 * vocabulary does not cover the keyword.
 */
export function estimateTermRelevance(
  model: TermModel,
  concepts: ConceptDictionary,
  keyword: string,
  acting: readonly string[],
): ((id: number) => number) | undefined {
  const text = findKeywordSubject(model, concepts, keyword)
  const similarity = computeTermSimilarity(model, text)
  if (!similarity) return undefined
  const describe = createTermDescriber(model, concepts, { keyword, text, similarity, acting })
  const { relevance } = loadGainWeights()
  return (id) =>
    1 / (1 + Math.exp(-dot(describe(id, toNormalisedSearchText(model.words[id]!), MAX_CANDIDATES), relevance)))
}

export type GainWeights = {
  /** Logistic regression: is an added title relevant? */
  readonly relevance: readonly number[]
  /** Linear regression: logarithm of the share of all relevant titles that the term adds. */
  readonly size: readonly number[]
}

export function computeGain(features: readonly number[], { relevance, size }: GainWeights): number {
  return Math.exp(dot(features, size)) / (1 + Math.exp(-dot(features, relevance)))
}

function dot(features: readonly number[], weights: readonly number[]): number {
  let sum = 0
  for (let at = 0; at < features.length; at += 1) sum += features[at]! * weights[at]!
  return sum
}

/** Names of the features in the order of the weights. */
export const GAIN_FEATURES = [
  ...['bias', 'subword', 'context', 'lower similarity', 'lower similarity²', 'rank', 'titles', 'titles²', 'ratio'],
  ...['ratio above e', 'part of keyword', 'head of keyword', 'end of keyword', 'generic remainder', 'synonym', 'kind'],
  ...['other concept', 'modifier', 'same head', 'same end', 'keyword covered', 'keyword covered²', 'term covered'],
  ...['term covered²', 'both covered', 'titles × covered', 'close to acting', 'close × titles', 'Latin', 'length'],
] as const

type Unit = { readonly id: number; readonly text: string; readonly weight: number }

function createTermDescriber(
  model: TermModel,
  concepts: ConceptDictionary,
  { text, similarity, acting }: GainSubject,
): (id: number, term: string, rank: number) => number[] {
  const units = unitsOf(model, text)
  const subjectTitles = similarity.titles ?? UNKNOWN_TITLES
  const subjectConcepts = concepts.conceptsOf(text)
  const same = new Set(subjectConcepts.flatMap(({ equal }) => equal))
  const kinds = new Set(subjectConcepts.flatMap(({ narrower }) => narrower))
  const actingIds = acting.slice(1).flatMap((term) => model.ids.get(term) ?? [])
  const flag = (value: boolean) => (value ? 1 : 0)
  return (id, term, rank) => {
    const [letters, neighbours] = [similarity.subword[id]!, similarity.context[id]!]
    const lower = Math.min(letters, neighbours)
    const titles = Math.log(model.counts[id]! + 1) / 10
    const ratio = Math.log((model.counts[id]! + 1) / (subjectTitles + 1))
    const termUnits = unitsOf(model, term)
    const isPart = text.includes(term)
    const covered = coverage(model, units, termUnits)
    const termCovered = coverage(model, termUnits, units)
    let close = lower
    for (const actingId of actingIds)
      close = Math.max(close, Math.min(model.subword.cosine(id, actingId), model.context.cosine(id, actingId)))
    return [
      1,
      letters,
      neighbours,
      lower,
      lower * lower,
      1 / (1 + rank / 10),
      titles,
      titles * titles,
      ratio / 5,
      Math.max(0, ratio - 1) / 5,
      flag(isPart),
      flag(isPart && text.startsWith(term)),
      flag(isPart && text.endsWith(term)),
      flag(isPart && isKeywordRemainderGeneric(model, text, term)),
      flag(same.has(term)),
      flag(kinds.has(term)),
      flag(concepts.isUnrelated(text, term)),
      flag(isModifierTerm(text, term)),
      closeness(model, termUnits[0], units[0]),
      closeness(model, termUnits.at(-1), units.at(-1)),
      covered,
      covered * covered,
      termCovered,
      termCovered * termCovered,
      covered * termCovered,
      titles * covered,
      close,
      close * titles,
      flag(/^[a-z]/.test(term)),
      Math.min(1, term.length / 30),
    ]
  }
}

function unitsOf(model: TermModel, text: string): Unit[] {
  const id = model.ids.get(text)
  const parts = model.segmenter.segment(text, id).filter((unit) => unit.id >= 0 && unit.text.length > 1)
  const units = parts.length > 1 || id === undefined ? parts : [{ id, text }]
  return units.map((unit) => ({ id: unit.id, text: unit.text, weight: weightOf(model, unit.id) }))
}

function weightOf(model: TermModel, id: number): number {
  return isGenericVocabularyUnit(model, id) ? 1 : computeVocabularyUnitRarity(model, id)
}

function closeness(model: TermModel, a: Unit | undefined, b: Unit | undefined): number {
  if (!a || !b) return 0
  if (a.text.includes(b.text) || b.text.includes(a.text)) return 1
  return (model.subword.cosine(a.id, b.id) + model.context.cosine(a.id, b.id)) / 2
}

/** Returns the share of a keyword, weighted by rarity, that a term expresses too. */
export function computeKeywordCoverage(model: TermModel, keyword: string, term: string): number {
  return coverage(model, unitsOf(model, keyword), unitsOf(model, term))
}

/** Returns the share of the units, weighted by rarity, that the other units express too. */
function coverage(model: TermModel, units: readonly Unit[], otherUnits: readonly Unit[]): number {
  let sum = 0
  let total = 0
  for (const unit of units) {
    let best = 0
    for (const otherUnit of otherUnits) best = Math.max(best, closeness(model, unit, otherUnit))
    sum += best * unit.weight
    total += unit.weight
  }
  return total === 0 ? 0 : sum / total
}

export const GAIN_WEIGHTS_FILE = path.join(TERM_MODEL_FOLDER, 'gain.json')
let gainWeights: GainWeights | undefined

function loadGainWeights(): GainWeights {
  if (gainWeights) return gainWeights
  const stored = JSON.parse(readFileSync(GAIN_WEIGHTS_FILE, 'utf8')) as Record<
    keyof GainWeights,
    Record<string, number>
  >
  const inOrder = (byName: Record<string, number>) => GAIN_FEATURES.map((name) => byName[name]!)
  gainWeights = { relevance: inOrder(stored.relevance), size: inOrder(stored.size) }
  return gainWeights
}
