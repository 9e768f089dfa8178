import { existsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { getKeywordConceptNumbers } from '#server/matching/keyword-impact/title-groups.ts'
import { loadConceptDictionary } from '#server/matching/meaning/concept-dictionary.ts'
import { expandKeywordWithModel } from '#server/matching/meaning/expand-keyword.ts'
import { findKeywordSubject } from '#server/matching/meaning/keyword-subject.ts'
import {
  computeGain,
  findTermOffers,
  GAIN_FEATURES,
  GAIN_WEIGHTS_FILE,
  type GainWeights,
} from '#server/matching/meaning/term-gain.ts'
import { loadDefaultTermModel } from '#server/matching/meaning/term-model.ts'
import { computeTermSimilarity } from '#server/matching/meaning/term-similarity.ts'
import {
  COMPETITIVE_FILE,
  type CollectedTitle,
  findMatchedTitles,
  findTitlesByTerm,
  readCollection,
} from '../bench/data/meaning-collection.ts'
import { readLabels } from '../bench/data/meaning-labels.ts'
import {
  type KeywordRule,
  readClassRules,
  readDevelopmentRules,
  readKeywordRules,
} from '../bench/data/meaning-rules.ts'

/**
 * Fits the weights of the expected gain of a term (`server/matching/meaning/term-gain.ts`) and writes them to
 * `data/term-model/gain.json`. Reads only the halves that may be tuned on: `tune`, `class-tune` and `development`.
 * Prints, with each keyword left out of the fit in turn, the share of the missing relevant titles that its first four
 * terms add. One minute.
 *
 *   npx node scripts/train-term-gain.ts [--dry]
 */
const { values: options } = parseArgs({ options: { dry: { type: 'boolean' } } })
const shared = path.join(import.meta.dirname, '../../shared/matching/labels-dev.tsv')
const titles = readCollection(COMPETITIVE_FILE)
if (!titles || !existsSync(shared)) throw new Error('The shared titles and labels were not found beside the project.')

/** The simulated user ticks a term if at least this share of the titles that it adds is relevant. */
const MIN_WANTED_SHARE = 0.6
const RIDGE = 3
/** Replaces zero titles in a logarithm. */
const NO_TITLES = 0.3
const ROUNDS = 12

type Candidate = {
  readonly term: string
  readonly features: readonly number[]
  /** Number of titles that the term adds. */
  readonly added: number
  readonly relevance: number
  /** Logarithm of the share of the relevant titles that the term adds. */
  readonly size: number
  readonly gain: number
}
type Example = { readonly keyword: string; readonly missing: number; readonly candidates: readonly Candidate[] }

function examplesOf(rules: readonly KeywordRule[], all: readonly CollectedTitle[]): Example[] {
  const [model, concepts] = [loadDefaultTermModel(), loadConceptDictionary()]
  const drafts = rules.flatMap((rule) => {
    const acting = expandKeywordWithModel(model, concepts, rule.keyword).terms.filter(({ state }) => state === 'auto')
    const keyword = acting[0]!.term
    const text = findKeywordSubject(model, concepts, keyword)
    const similarity = computeTermSimilarity(model, text)
    if (!similarity) return []
    const alone = acting.filter(({ facet }) => facet === 0).map(({ term }) => term)
    return [{ rule, acting, offers: findTermOffers(model, concepts, { keyword, text, similarity, acting: alone }) }]
  })
  const holding = findTitlesByTerm(
    all,
    drafts.flatMap(({ acting, offers }) => [...acting, ...offers].map(({ term }) => term)),
  )
  return drafts.map(({ rule, acting, offers }) => {
    const matchedTitles = findMatchedTitles(acting, holding, getKeywordConceptNumbers(acting))
    const relevantTitles = new Set<number>()
    all.forEach(({ projectId, compact }, index) => {
      if (rule.isWanted(projectId, compact)) relevantTitles.add(index)
    })
    const missing = [...relevantTitles].filter((index) => !matchedTitles.has(index)).length
    const candidates = offers.map(({ term, features }) => {
      const added = (holding.get(term) ?? []).filter((index) => !matchedTitles.has(index))
      const right = added.filter((index) => relevantTitles.has(index)).length
      const isTicked = right > 0 && right >= MIN_WANTED_SHARE * added.length
      const total = Math.max(1, relevantTitles.size)
      return {
        term,
        features,
        added: added.length,
        relevance: right / Math.max(1, added.length),
        size: Math.log(Math.max(right, NO_TITLES) / total),
        gain: isTicked ? right / total : 0,
      }
    })
    return { keyword: rule.keyword, missing: missing / Math.max(1, relevantTitles.size), candidates }
  })
}

type Target = 'relevance' | 'size'

/** Fits both regressions with a ridge on standardised features; every keyword weighs the same. */
function fit(examples: readonly Example[]): GainWeights {
  return { relevance: regress(examples, 'relevance'), size: regress(examples, 'size') }
}

function regress(examples: readonly Example[], target: Target): number[] {
  const rows = examples.flatMap(({ candidates }) =>
    candidates.flatMap((candidate) =>
      target === 'relevance' && candidate.added === 0
        ? []
        : [{ features: candidate.features, value: candidate[target], weight: 100 / candidates.length }],
    ),
  )
  const { means, deviations } = standardisationOf(rows.map(({ features }) => features))
  const standard = rows.map((row) => ({
    ...row,
    features: row.features.map((value, at) => (value - means[at]!) / deviations[at]!),
  }))
  let weights = new Array<number>(GAIN_FEATURES.length).fill(0)
  for (let round = 0; round < ROUNDS; round += 1) {
    const step = newtonStep(standard, weights, target)
    weights = weights.map((weight, at) => weight - step[at]!)
    if (Math.max(...step.map(Math.abs)) < 1e-4) break
  }
  const raw = weights.map((weight, at) => weight / deviations[at]!)
  const shift = raw.reduce((sum, weight, at) => sum + weight * means[at]!, 0)
  return raw.map((weight, at) => (at === 0 ? weight - shift : weight))
}

type Row = { readonly features: readonly number[]; readonly value: number; readonly weight: number }

function newtonStep(rows: readonly Row[], weights: readonly number[], target: Target): number[] {
  const width = weights.length
  const ridge = (at: number) => (at === 0 ? 1e-6 : RIDGE)
  const gradient = weights.map((weight, at) => ridge(at) * weight)
  const hessian = weights.map((_, row) => weights.map((__, column) => (row === column ? ridge(row) : 0)))
  for (const { features, value, weight } of rows) {
    const sum = features.reduce((total, feature, at) => total + feature * weights[at]!, 0)
    const expected = target === 'size' ? sum : 1 / (1 + Math.exp(-sum))
    const error = weight * (expected - value)
    const curvature = weight * (target === 'size' ? 1 : expected * (1 - expected))
    for (let row = 0; row < width; row += 1) {
      gradient[row]! += error * features[row]!
      const line = hessian[row]!
      const scaled = curvature * features[row]!
      for (let column = 0; column < width; column += 1) line[column]! += scaled * features[column]!
    }
  }
  return solve(hessian, gradient)
}

/** The first feature is constant and stays as it is. */
function standardisationOf(rows: readonly (readonly number[])[]): { means: number[]; deviations: number[] } {
  const columns = GAIN_FEATURES.map((_, at) => rows.map((row) => row[at]!))
  const mean = (list: readonly number[]) => list.reduce((sum, value) => sum + value, 0) / list.length
  const means = columns.map((column, at) => (at === 0 ? 0 : mean(column)))
  const deviations = columns.map((column, at) =>
    at === 0 ? 1 : Math.sqrt(mean(column.map((value) => (value - means[at]!) ** 2))) + 1e-9,
  )
  return { means, deviations }
}

/** Gaussian elimination with pivots. */
function solve(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const rows = matrix.map((line, at) => [...line, right[at]!])
  const size = rows.length
  for (let at = 0; at < size; at += 1) {
    let pivot = at
    for (let row = at + 1; row < size; row += 1)
      if (Math.abs(rows[row]![at]!) > Math.abs(rows[pivot]![at]!)) pivot = row
    const line = rows[pivot]!
    rows[pivot] = rows[at]!
    rows[at] = line
    for (let row = 0; row < size; row += 1) {
      if (row === at) continue
      const factor = rows[row]![at]! / line[at]!
      for (let column = at; column <= size; column += 1) rows[row]![column]! -= factor * line[column]!
    }
  }
  return rows.map((line, at) => line[size]! / line[at]!)
}

const picked = new Map(
  [...readLabels(shared)].map(([keyword, list]) => [
    keyword,
    new Map(list.map(({ projectId, relevant }) => [projectId, relevant])),
  ]),
)
const rules = [...readKeywordRules(), ...readClassRules(), ...readDevelopmentRules(picked)]
const examples = examplesOf(
  rules.filter(({ half }) => half !== 'report' && half !== 'class-report'),
  titles,
)
const weights = fit(examples)
let best = 0
let reached = 0
for (const example of examples) {
  const without = fit(examples.filter((other) => other !== example))
  const order = example.candidates.toSorted(
    (a, b) => computeGain(b.features, without) - computeGain(a.features, without),
  )
  const firstFour = (list: readonly Candidate[]) => list.slice(0, 4).reduce((sum, { gain }) => sum + gain, 0)
  const [possible, chosen] = [example.candidates.toSorted((a, b) => b.gain - a.gain), order].map(firstFour)
  best += possible!
  reached += chosen!
  if (possible! - chosen! > 0.15)
    console.log(
      `${example.keyword}: ${chosen!.toFixed(2)} of ${possible!.toFixed(2)}; ${order
        .slice(0, 4)
        .map(({ term }) => term)
        .join(', ')}`,
    )
}
console.log(`first four terms, each keyword left out: ${(reached / best).toFixed(3)} of the best four`)
if (!options.dry) {
  const byName = (list: readonly number[]) =>
    Object.fromEntries(GAIN_FEATURES.map((name, at) => [name, Number(list[at]!.toFixed(4))]))
  const stored = { relevance: byName(weights.relevance), size: byName(weights.size) }
  writeFileSync(GAIN_WEIGHTS_FILE, `${JSON.stringify(stored, null, 2)}\n`)
}
