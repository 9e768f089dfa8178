import { checkKeyword } from '#contract/matching/keyword.ts'
import { parseSearchExpression, type SearchNode } from '#contract/search/search-grammar.ts'
import { searchForm } from '#contract/thai/thai-text.ts'
import { textFinder } from '#server/matching/find-candidates.ts'
import { closenessTo } from '#server/matching/meaning/closeness.ts'
import { termModel } from '#server/matching/meaning/term-model.ts'
import type { RecentProject } from '#server/matching/recent-projects.ts'
import type { TimeSlice } from '#server/matching/time-slice.ts'
import { longerWords, THAI } from './longer-words.ts'

/** A consonant that closes the last syllable and so makes a different word: ยา + ง, ว, น, ย. */
const CLOSES_SYLLABLE = /^[ก-ฮ]์?$/
/**
 * Minimum similarity for a longer word to mean the same. A Thai compound that begins with the word usually is a kind
 * of it (รถยนต์, ไฟฟ้า: 0.65, 0.59; น้ำมัน 0.33), one that ends with it usually is not (แม่น้ำ 0.41; บ่อน้ำ 0.48).
 */
const SAME_WHEN_FIRST = 0.35
const SAME_WHEN_LAST = 0.45
/** Threshold on the subword similarity alone, the only one available for very frequent words (ทางหลวง 0.53). */
const SAME_BY_LETTERS = 0.5

/** True if a longer word means the same thing, so excluding it would be wrong. */
type SameThing = (longer: string) => boolean

export function judgeOf(word: string): SameThing {
  const model = termModel()
  const closeness = closenessTo(model, word)
  return (longer) => {
    const at = longer.indexOf(word)
    const rest = longer.slice(at + word.length)
    if (at === 0 && CLOSES_SYLLABLE.test(rest)) return false
    // The model lacks the word, so treat a compound that begins with it as a kind of it.
    if (!closeness) return at === 0
    const id = model.ids.get(longer)
    // Inside a compound, the word contributes to its meaning too (สาย-ใยแก้ว-นำแสง).
    if (at > 0 && rest !== '') return (closeness.ofText(longer) ?? 0) >= SAME_WHEN_LAST
    if (at > 0) return id !== undefined && mean(closeness, id) >= SAME_WHEN_LAST
    if (id === undefined) return (closeness.ofText(longer) ?? 0) >= SAME_WHEN_FIRST
    const letters = closeness.context[id] === 0 ? closeness.subword[id]! : 0
    return letters >= SAME_BY_LETTERS || mean(closeness, id) >= SAME_WHEN_FIRST
  }
}

const mean = ({ subword, context }: NonNullable<ReturnType<typeof closenessTo>>, id: number) =>
  (subword[id]! + context[id]!) / 2

/**
 * Titles segmented in total over all added words, newest first: 35 ms, and a word that matters occurs in 20 of them.
 */
const CUT = 1_000
const LEAST_CUT = 100
const LEAST_SHARE = 0.02
const LEAST = 2
const MOST = 8
const SAMPLES = 2

export type Trap = { readonly word: string; readonly places: readonly number[] }

/**
 * Returns terms that may occur inside longer words: Thai has no blanks, while the search itself checks Latin word
 * ends.
 */
export function trappedTerms(expression: string): string[] {
  const parsed = parseSearchExpression(expression)
  if (!parsed.ok) return []
  const terms = (node: SearchNode | null): string[] => {
    if (node === null) return []
    if (node.kind === 'not') return terms(node.keep)
    if (node.kind !== 'term') return node.parts.flatMap(terms)
    const form = searchForm(node.text)
    return THAI.test(form[0] ?? '') || THAI.test(form.at(-1) ?? '') ? [form] : []
  }
  return [...new Set(terms(parsed.node))]
}

/**
 * Returns longer words through which an added word matches unintentionally, with all `added` projects that contain
 * them, most frequent first. `found`: indexes of the added projects matched by the word, newest first; `words`: number
 * of added words sharing the time budget.
 */
export async function findTraps(
  projects: readonly RecentProject[],
  expression: string,
  {
    found,
    added,
    words = 1,
    timeSlice,
  }: { found: readonly number[]; added: readonly number[]; words?: number; timeSlice: TimeSlice },
): Promise<Trap[]> {
  const cut = found.slice(0, Math.max(LEAST_CUT, CUT / words))
  const counts = new Map<string, { term: string; count: number }>()
  const terms = trappedTerms(expression)
  for (const place of cut) {
    for (const term of terms) {
      for (const word of longerWords(term, projects[place]!.name_spaced)) {
        const known = counts.get(word)
        if (known) known.count += 1
        else counts.set(word, { term, count: 1 })
      }
    }
    const pause = timeSlice.yieldIfDue()
    if (pause) await pause
  }
  const judges = new Map<string, SameThing>()
  const judge = (term: string) => {
    let known = judges.get(term)
    if (!known) {
      known = judgeOf(term)
      judges.set(term, known)
    }
    return known
  }
  const offered = [...counts]
    .filter(([, { count }]) => count >= LEAST && count >= LEAST_SHARE * cut.length)
    .filter(([word, { term }]) => checkKeyword('exclude', word).ok && !judge(term)(word))
    .map(([word]) => word)
  const least = offered.filter((word) => !offered.some((other) => other !== word && word.includes(other)))
  const traps = least.map((word): { word: string; places: number[] } => ({ word, places: [] }))
  const holds = textFinder(least)
  for (const place of least.length > 0 ? added : []) {
    for (const trap of holds(projects[place]!.name_search)) traps[trap]!.places.push(place)
    const pause = timeSlice.yieldIfDue()
    if (pause) await pause
  }
  return traps.sort((a, b) => b.places.length - a.places.length).slice(0, MOST)
}

export const trapSamples = ({ places }: Trap) => places.slice(0, SAMPLES)
