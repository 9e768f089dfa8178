import { findKeywordProblem } from '#contract/matching/keyword.ts'
import { parseSearchExpression, type SearchNode } from '#contract/search/search-grammar.ts'
import { toNormalisedSearchText } from '#contract/thai/thai-text.ts'
import { createTextFinder } from '#server/matching/find-candidate-projects.ts'
import { loadDefaultTermModel } from '#server/matching/meaning/term-model.ts'
import { computeTermSimilarity } from '#server/matching/meaning/term-similarity.ts'
import type { RecentProject } from '#server/matching/recent-projects.ts'
import type { TimeSlicer } from '#server/matching/time-slicer.ts'
import { findLongerWords, THAI_LETTER_PATTERN } from './longer-words.ts'

/** A consonant that closes the last syllable and so makes a different word: ยา + ง, ว, น, ย. */
const CLOSES_SYLLABLE = /^[ก-ฮ]์?$/
/**
 * Minimum similarity at which a longer word counts as a kind of the keyword. A Thai compound that begins with the
 * keyword usually is a kind of it (รถยนต์, ไฟฟ้า: 0.65, 0.59; น้ำมัน 0.33); one that ends with the keyword usually is
 * not (แม่น้ำ 0.41; บ่อน้ำ 0.48), so its threshold is higher.
 */
const MIN_SIMILARITY_AS_PREFIX = 0.35
const MIN_SIMILARITY_AS_SUFFIX = 0.45
/** Threshold for the subword similarity, which is the only one available for very frequent words (ทางหลวง 0.53). */
const MIN_SUBWORD_SIMILARITY = 0.5

type MeaningTest = (longer: string) => boolean

export function createRelatedMeaningPredicate(word: string): MeaningTest {
  const model = loadDefaultTermModel()
  const closeness = computeTermSimilarity(model, word)
  return (longer) => {
    const at = longer.indexOf(word)
    const suffix = longer.slice(at + word.length)
    if (at === 0 && CLOSES_SYLLABLE.test(suffix)) return false
    // The model lacks the keyword, so every compound that begins with the keyword counts as a kind of it.
    if (!closeness) return at === 0
    const id = model.ids.get(longer)
    // A keyword in the middle of a compound contributes to its meaning too (สาย-ใยแก้ว-นำแสง).
    if (at > 0 && suffix !== '') return (closeness.ofText(longer) ?? 0) >= MIN_SIMILARITY_AS_SUFFIX
    if (at > 0) return id !== undefined && mean(closeness, id) >= MIN_SIMILARITY_AS_SUFFIX
    if (id === undefined) return (closeness.ofText(longer) ?? 0) >= MIN_SIMILARITY_AS_PREFIX
    const letters = closeness.context[id] === 0 ? closeness.subword[id]! : 0
    return letters >= MIN_SUBWORD_SIMILARITY || mean(closeness, id) >= MIN_SIMILARITY_AS_PREFIX
  }
}

const mean = ({ subword, context }: NonNullable<ReturnType<typeof computeTermSimilarity>>, id: number) =>
  (subword[id]! + context[id]!) / 2

/**
 * Maximum number of titles to segment for all added words together, newest first. Segmenting 1,000 titles takes 35 ms,
 * and a word at `MIN_TRAP_SHARE` occurs in 20 of them.
 */
const MAX_TITLES_CUT = 1_000
const MIN_TITLES_CUT = 100
const MIN_TRAP_SHARE = 0.02
const MIN_TRAP_COUNT = 2
const MAX_TRAPS = 8
const TRAP_SAMPLE_COUNT = 2

export type AccidentalKeywordMatchWord = { readonly word: string; readonly indexes: readonly number[] }

/**
 * Returns the terms that may occur inside longer words: Thai terms, because Thai has no blanks between words. For Latin
 * terms the search itself checks word ends.
 */
export function getTermsProneToAccidentalMatches(expression: string): string[] {
  const parsed = parseSearchExpression(expression)
  if (!parsed.ok) return []
  const terms = (node: SearchNode | null): string[] => {
    if (node === null) return []
    if (node.kind === 'not') return terms(node.keep)
    if (node.kind !== 'term') return node.parts.flatMap(terms)
    const form = toNormalisedSearchText(node.text)
    return THAI_LETTER_PATTERN.test(form[0] ?? '') || THAI_LETTER_PATTERN.test(form.at(-1) ?? '') ? [form] : []
  }
  return [...new Set(terms(parsed.node))]
}

/**
 * Returns longer words through which an added word matches unintentionally, with all `added` projects that contain
 * them, most frequent first. `matches`: indexes of the added projects that the word matches, newest first; `words`:
 * number of added words sharing the time budget.
 */
export async function findAccidentalKeywordMatches(
  projects: readonly RecentProject[],
  expression: string,
  {
    matches,
    added,
    words = 1,
    timeSlice,
  }: { matches: readonly number[]; added: readonly number[]; words?: number; timeSlice: TimeSlicer },
): Promise<AccidentalKeywordMatchWord[]> {
  const cut = matches.slice(0, Math.max(MIN_TITLES_CUT, MAX_TITLES_CUT / words))
  const counts = new Map<string, { term: string; count: number }>()
  const terms = getTermsProneToAccidentalMatches(expression)
  for (const index of cut) {
    for (const term of terms) {
      for (const word of findLongerWords(term, projects[index]!.name_spaced)) {
        const entry = counts.get(word)
        if (entry) entry.count += 1
        else counts.set(word, { term, count: 1 })
      }
    }
    const pause = timeSlice.yieldIfDue()
    if (pause) await pause
  }
  const judges = new Map<string, MeaningTest>()
  const judge = (term: string) => {
    let test = judges.get(term)
    if (!test) {
      test = createRelatedMeaningPredicate(term)
      judges.set(term, test)
    }
    return test
  }
  const offered = [...counts]
    .filter(([, { count }]) => count >= MIN_TRAP_COUNT && count >= MIN_TRAP_SHARE * cut.length)
    .filter(([word, { term }]) => findKeywordProblem('exclude', word).ok && !judge(term)(word))
    .map(([word]) => word)
  const shortest = offered.filter((word) => !offered.some((shorter) => shorter !== word && word.includes(shorter)))
  const traps = shortest.map((word): { word: string; indexes: number[] } => ({ word, indexes: [] }))
  const findTexts = createTextFinder(shortest)
  for (const index of shortest.length > 0 ? added : []) {
    for (const trap of findTexts(projects[index]!.name_search)) traps[trap]!.indexes.push(index)
    const pause = timeSlice.yieldIfDue()
    if (pause) await pause
  }
  return traps.sort((a, b) => b.indexes.length - a.indexes.length).slice(0, MAX_TRAPS)
}

export const getAccidentalMatchSampleIndexes = ({ indexes }: AccidentalKeywordMatchWord) =>
  indexes.slice(0, TRAP_SAMPLE_COUNT)
