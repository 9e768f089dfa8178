import { LESSON_LENGTH } from '#contract/matching/lesson.ts'
import { searchForm } from '#contract/thai/thai-text.ts'
import { type Answered, learn, nextPlace } from '#server/matching/keyword-impact/lesson-policy.ts'
import { facetsOf, groupTitles } from '#server/matching/keyword-impact/title-groups.ts'
import { dictionary } from '#server/matching/meaning/dictionary.ts'
import { type ExpandedTerm, expandWith } from '#server/matching/meaning/expand-keyword.ts'
import { termModel } from '#server/matching/meaning/term-model.ts'
import { type CollectedTitle, foundBy, titlesOfTerms } from './meaning-collection.ts'
import { halfOf, type Score } from './meaning-labels.ts'
import type { KeywordRule } from './meaning-rules.ts'

export const METHODS = ['substring', 'automatic', 'ticked', 'evidence', 'two shown', 'twenty'] as const
export type Method = (typeof METHODS)[number]
export type KeywordFigures = { readonly rule: KeywordRule; readonly wanted: number } & Readonly<Record<Method, Score>>

type Holding = ReadonlyMap<string, readonly number[]>
type Judge = (titles: readonly number[]) => boolean

/** A term is kept from this share of wanted titles on. */
const KEPT_FROM = 0.6

/** Scores of every keyword over titles as often as they come. Half of the projects teach the ticking, the other is scored; then they change places. */
export function figuresOf(rules: readonly KeywordRule[], titles: readonly CollectedTitle[]): KeywordFigures[] {
  const expanded = rules.map(({ keyword }) => expandWith(termModel(), dictionary(), keyword).terms)
  const literals = rules.map(({ keyword }) => searchForm(keyword))
  const holding = titlesOfTerms(
    titles,
    expanded.flat().map(({ term }) => term),
  )
  const halves = titles.map(({ projectId }) => halfOf(projectId))
  return rules.map((rule, at) => {
    const wanted = new Set<number>()
    const literally = new Set<number>()
    titles.forEach(({ projectId, compact }, index) => {
      if (rule.isWanted(projectId, compact)) wanted.add(index)
      if (compact.includes(literals[at]!)) literally.add(index)
    })
    const terms = expanded[at]!
    const facets = facetsOf(terms)
    const acting = terms.filter(({ state }) => state === 'auto')
    const seenBy = (half: 0 | 1) =>
      new Map(terms.map(({ term }) => [term, (holding.get(term) ?? []).filter((index) => halves[index] !== half)]))
    /** What is found when each half is matched by the terms that the other half taught. */
    const taught = (choose: (seen: Holding) => readonly ExpandedTerm[]) => {
      const [zero, one] = ([0, 1] as const).map((half) => foundBy(choose(seenBy(half)), holding, facets))
      return new Set([...[...zero!].filter((i) => halves[i] === 0), ...[...one!].filter((i) => halves[i] === 1)])
    }
    const mostly: Judge = (found) =>
      found.length > 0 && found.filter((index) => wanted.has(index)).length >= KEPT_FROM * found.length
    const holders = (seen: Holding) => terms.filter(({ term, state }) => state === 'auto' || mostly(seen.get(term)!))
    return {
      rule,
      wanted: wanted.size,
      substring: scoreOfSets(literally, wanted),
      automatic: scoreOfSets(foundBy(acting, holding), wanted),
      ticked: scoreOfSets(taught(holders), wanted),
      evidence: scoreOfSets(
        taught((seen) => byEvidence(terms, seen, mostly)),
        wanted,
      ),
      'two shown': scoreOfSets(
        taught((seen) => byEvidence(terms, seen, (found) => mostly(spread(found, 2)))),
        wanted,
      ),
      twenty: scoreOfSets(
        taught((seen) => afterLesson(terms, seen, wanted)),
        wanted,
      ),
    }
  })
}

/**
 * The terms that act after each was judged by the titles that it alone adds. Acting terms are judged first, then the suggestions,
 * those that add the most before the others. A term that adds nothing stays as it is.
 */
function byEvidence(terms: readonly ExpandedTerm[], seen: Holding, isGood: Judge): ExpandedTerm[] {
  const facets = facetsOf(terms)
  let kept = terms.filter(({ state }) => state === 'auto')
  const added = (term: ExpandedTerm) => {
    const others = kept.filter((other) => other !== term)
    const without = foundBy(others, seen, facets)
    return [...foundBy([...others, term], seen, facets)].filter((index) => !without.has(index)).sort((a, b) => a - b)
  }
  const order = (list: readonly ExpandedTerm[]) =>
    list
      .map((term) => ({ term, count: added(term).length }))
      .sort((a, b) => b.count - a.count)
      .map(({ term }) => term)
  for (const term of order(kept.filter(({ source, facet }) => source !== 'literal' || facet > 0))) {
    const titles = added(term)
    if (titles.length > 0 && !isGood(titles)) kept = kept.filter((other) => other !== term)
  }
  for (const term of order(terms.filter(({ state }) => state === 'suggested'))) {
    if (isGood(added(term))) kept = [...kept, term]
  }
  return kept
}

/** The terms that act after twenty answers of an ideal person, by the product's own policy. */
function afterLesson(terms: readonly ExpandedTerm[], seen: Holding, wanted: ReadonlySet<number>): ExpandedTerm[] {
  const groups = groupTitles(terms.map(({ term }) => seen.get(term)!))
  const heldBy = new Map(groups.flatMap(({ held, places }) => places.map((place) => [place, held] as const)))
  const known = terms.map(({ facet, similarity, source, state }) => {
    return { facet, similarity, isLiteral: source === 'literal', isAuto: state === 'auto', byHand: undefined }
  })
  const answers: Answered[] = []
  const asked = new Set<number>()
  let learned = learn(known, groups, answers)
  while (answers.length < LESSON_LENGTH) {
    const place = nextPlace(known, groups, learned, asked)
    if (place === undefined) break
    asked.add(place)
    answers.push({ held: heldBy.get(place)!, isWanted: wanted.has(place) })
    learned = learn(known, groups, answers)
  }
  return terms.filter((_, index) => learned.acts[index])
}

/** So many of the titles, from all over them. */
function spread(titles: readonly number[], count: number): number[] {
  if (titles.length <= count) return [...titles]
  return Array.from({ length: count }, (_, at) => titles[Math.floor(((at + 0.5) * titles.length) / count)]!)
}

function scoreOfSets(found: ReadonlySet<number>, wanted: ReadonlySet<number>): Score {
  const right = [...found].filter((index) => wanted.has(index)).length
  const precision = found.size === 0 ? 0 : right / found.size
  const recall = wanted.size === 0 ? 0 : right / wanted.size
  return { precision, recall, f1: right === 0 ? 0 : (2 * precision * recall) / (precision + recall) }
}

/** Mean of some figures, and where it lies in 95 of 100 draws of as many keywords from these (2,000 draws, always the same). */
export function meanWithInterval(values: readonly number[]): { mean: number; from: number; to: number } {
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
