import { LRUCache } from 'lru-cache'
import { loadDefaultTermModel, loadTermModelMetadata, type TermModel } from '#server/matching/meaning/term-model.ts'
import { stripTitleBoilerplate } from '#server/platform/text/vocabulary-segmenter.ts'

/** Vocabulary ids of the words of a title that describe what is procured, in order and without repetition. */
export type FitTitle = Int32Array

/** Words in a larger share of titles (จ้าง, จำนวน, ตำบล) do not indicate the trade. */
const MAX_TITLE_SHARE = 0.06
const MIN_WORD_LENGTH = 2
const HAS_LETTER = /[a-z\u0e01-\u0e2e]/

/** About 30 MB. A title takes 60 µs to segment, and the open projects of all organisations are largely the same. */
const MAX_CACHED_TITLES = 60_000
const titles = new LRUCache<string, FitTitle>({ max: MAX_CACHED_TITLES })

let informative: Uint8Array | undefined

function findInformativeWords({ words, counts }: TermModel): Uint8Array {
  const maxTitles = MAX_TITLE_SHARE * loadTermModelMetadata().titles
  return Uint8Array.from(words, (word, id) =>
    Number(counts[id]! <= maxTitles && word.length >= MIN_WORD_LENGTH && HAS_LETTER.test(word)),
  )
}

/** `title` must be normalised (`name_spaced`). */
export function readFitTitle(title: string): FitTitle {
  const cached = titles.get(title)
  if (cached) return cached
  const model = loadDefaultTermModel()
  informative ??= findInformativeWords(model)
  const ids = new Set<number>()
  for (const { id } of model.segmenter.unitsOf(stripTitleBoilerplate(title)))
    if (id >= 0 && informative[id] === 1) ids.add(id)
  const words = Int32Array.from(ids)
  titles.set(title, words)
  return words
}

export const getTitleShare = (word: number): number =>
  (loadDefaultTermModel().counts[word]! + 1) / loadTermModelMetadata().titles
