import { toNormalisedSearchText } from '#contract/thai/thai-text.ts'
import { expandKeyword } from '#server/matching/meaning/expand-keyword.ts'
import { loadDefaultTermModel, loadTermModelMetadata } from '#server/matching/meaning/term-model.ts'
import type { TimeSlicer } from '#server/matching/time-slicer.ts'

export type SimilarWord = {
  readonly form: string
  readonly word: string
  /** Form of the word of the titles that this one is similar to. */
  readonly source: string
  /** Share of the source's projects that this word is expected to add. */
  readonly closeness: number
}

/** Each expansion takes 20 ms. */
const MAX_SOURCES = 8
const MAX_SUGGESTED = 5
const MIN_TITLES = 30
const MAX_SHARE = 0.02
const MIN_LENGTH = 6
const CLOSENESS = { auto: 0.35, suggested: 0.15 } as const
/** The vocabulary has place names too, whose neighbours are other places. */
const PLACE = /^(?:ตำบล|อำเภอ|จังหวัด|บ้าน|เทศบาล|องค์การ|หมู่|สำนักงาน)/

/** Finds words with a similar meaning for the most telling words of titles, given with the number of titles. */
export async function listSimilarWords(
  counts: readonly (readonly [form: string, titles: number])[],
  timeSlice: TimeSlicer,
): Promise<SimilarWord[]> {
  const model = loadDefaultTermModel()
  const all = loadTermModelMetadata().titles
  const sources = counts
    .flatMap(([form, count]) => {
      const titles = model.counts[model.ids.get(form) ?? -1] ?? 0
      if (titles < MIN_TITLES || titles > MAX_SHARE * all || PLACE.test(form)) return []
      return [{ form, weight: count * Math.log(all / titles) }]
    })
    .sort((a, b) => b.weight - a.weight)
    .slice(0, MAX_SOURCES)
  const found = new Map<string, SimilarWord>()
  for (const { form: source } of sources) {
    const pause = timeSlice.yieldIfDue()
    if (pause) await pause
    let suggested = 0
    for (const { term, state, source: kind, facet } of expandKeyword(source).terms) {
      if (kind === 'literal' || facet !== 0 || (state === 'suggested' && suggested >= MAX_SUGGESTED)) continue
      const form = toNormalisedSearchText(term)
      if (form.length < MIN_LENGTH || form.includes(source) || PLACE.test(form)) continue
      if (state === 'suggested') suggested += 1
      if (!found.has(form)) found.set(form, { form, word: term, source, closeness: CLOSENESS[state] })
    }
  }
  return [...found.values()]
}
