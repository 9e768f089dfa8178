import { SUGGESTED_KEYWORD_TRAINING_ANSWERS } from '#contract/matching/keyword-training.ts'
import { toNormalisedSearchText } from '#contract/thai/thai-text.ts'
import {
  type AnsweredKeywordTrainingTitle,
  computeKeywordTrainingOutcome,
  pickNextKeywordTrainingTitle,
} from '#server/matching/keyword-impact/keyword-training-policy.ts'
import { getKeywordConceptNumbers, groupTitlesByTerms } from '#server/matching/keyword-impact/title-groups.ts'
import { loadConceptDictionary } from '#server/matching/meaning/concept-dictionary.ts'
import { type ExpandedTerm, expandKeywordWithModel } from '#server/matching/meaning/expand-keyword.ts'
import { loadDefaultTermModel } from '#server/matching/meaning/term-model.ts'
import { type CollectedTitle, findMatchedTitles, findTitlesByTerm } from './meaning-collection.ts'
import { getHalf, type Score } from './meaning-labels.ts'
import type { KeywordRule } from './meaning-rules.ts'

export const METHODS = [
  'substring',
  'automatic',
  'ticked',
  'first four',
  'all offered',
  'evidence',
  'two shown',
  'twenty',
] as const
export type Method = (typeof METHODS)[number]
type KeywordFigures = { readonly rule: KeywordRule; readonly wantedCount: number } & Readonly<Record<Method, Score>>

type Holding = ReadonlyMap<string, readonly number[]>
type Judge = (titles: readonly number[]) => boolean

/** Minimum share of wanted titles for a term to stay active. */
const MIN_WANTED_SHARE = 0.6
/** A hurried user judges only the first suggestions. */
const FIRST_OFFERS = 4

/**
 * Scores every keyword over titles at their real frequency. Two-fold cross-validation: one half of the projects trains
 * the terms, the other half is scored, then they swap.
 */
export function computeKeywordFigures(
  rules: readonly KeywordRule[],
  titles: readonly CollectedTitle[],
): KeywordFigures[] {
  const expanded = rules.map(
    ({ keyword }) => expandKeywordWithModel(loadDefaultTermModel(), loadConceptDictionary(), keyword).terms,
  )
  const literals = rules.map(({ keyword }) => toNormalisedSearchText(keyword))
  const holding = findTitlesByTerm(
    titles,
    expanded.flat().map(({ term }) => term),
  )
  const halves = titles.map(({ projectId }) => getHalf(projectId))
  return rules.map((rule, at) => {
    const wantedTitles = new Set<number>()
    const literally = new Set<number>()
    titles.forEach(({ projectId, compact }, index) => {
      if (rule.isWanted(projectId, compact)) wantedTitles.add(index)
      if (compact.includes(literals[at]!)) literally.add(index)
    })
    const terms = expanded[at]!
    const facets = getKeywordConceptNumbers(terms)
    const acting = terms.filter(({ state }) => state === 'auto')
    const seenBy = (half: 0 | 1) =>
      new Map(terms.map(({ term }) => [term, (holding.get(term) ?? []).filter((index) => halves[index] !== half)]))
    /** Matches each half with the terms learned from the other half. */
    const taught = (choose: (seen: Holding) => readonly ExpandedTerm[]) => {
      const [firstHits, secondHits] = ([0, 1] as const).map((half) =>
        findMatchedTitles(choose(seenBy(half)), holding, facets),
      )
      return new Set([
        ...[...firstHits!].filter((i) => halves[i] === 0),
        ...[...secondHits!].filter((i) => halves[i] === 1),
      ])
    }
    const mostly: Judge = (indexes) =>
      indexes.length > 0 &&
      indexes.filter((index) => wantedTitles.has(index)).length >= MIN_WANTED_SHARE * indexes.length
    const holders = (seen: Holding) => terms.filter(({ term, state }) => state === 'auto' || mostly(seen.get(term)!))
    return {
      rule,
      wantedCount: wantedTitles.size,
      substring: scoreOfSets(literally, wantedTitles),
      automatic: scoreOfSets(findMatchedTitles(acting, holding), wantedTitles),
      ticked: scoreOfSets(taught(holders), wantedTitles),
      'first four': scoreOfSets(
        taught((seen) => tickInOrder(terms, seen, mostly, FIRST_OFFERS)),
        wantedTitles,
      ),
      'all offered': scoreOfSets(
        taught((seen) => tickInOrder(terms, seen, mostly)),
        wantedTitles,
      ),
      evidence: scoreOfSets(
        taught((seen) => byEvidence(terms, seen, mostly)),
        wantedTitles,
      ),
      'two shown': scoreOfSets(
        taught((seen) => byEvidence(terms, seen, (indexes) => mostly(spread(indexes, 2)))),
        wantedTitles,
      ),
      twenty: scoreOfSets(
        taught((seen) => afterLesson(terms, seen, wantedTitles)),
        wantedTitles,
      ),
    }
  })
}

/**
 * Returns the active terms after the first suggestions were judged in the order in which they are offered, each by the
 * titles that it adds. Active terms stay active.
 */
function tickInOrder(
  terms: readonly ExpandedTerm[],
  seen: Holding,
  isGood: Judge,
  count = terms.length,
): ExpandedTerm[] {
  const facets = getKeywordConceptNumbers(terms)
  const active = terms.filter(({ state }) => state === 'auto')
  for (const term of terms.filter(({ state }) => state === 'suggested').slice(0, count)) {
    const before = findMatchedTitles(active, seen, facets)
    if (isGood([...findMatchedTitles([...active, term], seen, facets)].filter((index) => !before.has(index))))
      active.push(term)
  }
  return active
}

/**
 * Returns the active terms after judging each by the titles only it adds: active terms first, then suggestions, those
 * that add the most titles first. A term that adds nothing stays unchanged.
 */
function byEvidence(terms: readonly ExpandedTerm[], seen: Holding, isGood: Judge): ExpandedTerm[] {
  const facets = getKeywordConceptNumbers(terms)
  let activeTerms = terms.filter(({ state }) => state === 'auto')
  const added = (term: ExpandedTerm) => {
    const otherTerms = activeTerms.filter((candidate) => candidate !== term)
    const without = findMatchedTitles(otherTerms, seen, facets)
    return [...findMatchedTitles([...otherTerms, term], seen, facets)]
      .filter((index) => !without.has(index))
      .sort((a, b) => a - b)
  }
  const order = (list: readonly ExpandedTerm[]) =>
    list
      .map((term) => ({ term, count: added(term).length }))
      .sort((a, b) => b.count - a.count)
      .map(({ term }) => term)
  for (const term of order(activeTerms.filter(({ source, facet }) => source !== 'literal' || facet > 0))) {
    const titles = added(term)
    if (titles.length > 0 && !isGood(titles)) activeTerms = activeTerms.filter((candidate) => candidate !== term)
  }
  for (const term of order(terms.filter(({ state }) => state === 'suggested'))) {
    if (isGood(added(term))) activeTerms = [...activeTerms, term]
  }
  return activeTerms
}

function afterLesson(terms: readonly ExpandedTerm[], seen: Holding, wantedTitles: ReadonlySet<number>): ExpandedTerm[] {
  const groups = groupTitlesByTerms(terms.map(({ term }) => seen.get(term)!))
  const termsByTitle = new Map(
    groups.flatMap(({ termIndexes, titleIndexes }) =>
      titleIndexes.map((titleIndex) => [titleIndex, termIndexes] as const),
    ),
  )
  const lessonTerms = terms.map(({ facet, similarity, source, state }) => {
    return { facet, similarity, isLiteral: source === 'literal', isAuto: state === 'auto', byHand: undefined }
  })
  const answers: AnsweredKeywordTrainingTitle[] = []
  const askedTitles = new Set<number>()
  let learned = computeKeywordTrainingOutcome(lessonTerms, groups, answers)
  while (answers.length < SUGGESTED_KEYWORD_TRAINING_ANSWERS) {
    const titleIndex = pickNextKeywordTrainingTitle(lessonTerms, groups, learned, askedTitles)
    if (titleIndex === undefined) break
    askedTitles.add(titleIndex)
    answers.push({ termIndexes: termsByTitle.get(titleIndex)!, isWanted: wantedTitles.has(titleIndex) })
    learned = computeKeywordTrainingOutcome(lessonTerms, groups, answers)
  }
  return terms.filter((_, index) => learned.acts[index])
}

function spread(titles: readonly number[], count: number): number[] {
  if (titles.length <= count) return [...titles]
  return Array.from({ length: count }, (_, at) => titles[Math.floor(((at + 0.5) * titles.length) / count)]!)
}

function scoreOfSets(matched: ReadonlySet<number>, relevant: ReadonlySet<number>): Score {
  const right = [...matched].filter((index) => relevant.has(index)).length
  const precision = matched.size === 0 ? 0 : right / matched.size
  const recall = relevant.size === 0 ? 0 : right / relevant.size
  return { precision, recall, f1: right === 0 ? 0 : (2 * precision * recall) / (precision + recall) }
}

/** Returns the mean and its 95 % bootstrap interval (2,000 resamples, seeded). */
export function computeMeanWithInterval(values: readonly number[]): { mean: number; from: number; to: number } {
  const mean = (list: readonly number[]) => list.reduce((sum, value) => sum + value, 0) / list.length
  let state = 20_261_123
  const below = (limit: number) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit
  }
  const draws = Array.from({ length: 2000 }, () => mean(values.map(() => values[below(values.length)]!)))
  draws.sort((a, b) => a - b)
  return { mean: mean(values), from: draws[50]!, to: draws[1949]! }
}
