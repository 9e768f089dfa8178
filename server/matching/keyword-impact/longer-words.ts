import { removeSpacesNextToThai } from '#contract/thai/thai-text.ts'
import { loadDefaultTermModel } from '#server/matching/meaning/term-model.ts'
import { requiresWordBoundaries } from '#server/matching/meaning/word-borders.ts'
import type { VocabularyUnitOccurrence } from '#server/platform/text/vocabulary-segmenter.ts'

export const THAI_LETTER_PATTERN = /[\u0e01-\u0e2e\u0e30-\u0e3a\u0e40-\u0e45\u0e47-\u0e4e]/
/** Maximum length of a word worth excluding. A longer one spans text that the segmenters could not split. */
const MAX_WORD_LENGTH = 40
/** Minimum length of a part of a longer word. A shorter part next to another word looks like a fragment of a name. */
const MIN_PART_LENGTH = 3

const dictionary = new Intl.Segmenter('th', { granularity: 'word' })

/**
 * A title in two segmentations: by the platform's Thai dictionary, which covers the language, and by the vocabulary
 * learned from e-GP titles, which covers their phrases and loan words. Segment boundaries are computed on the spaced
 * form, whose blanks mark word ends, and stored as offsets in the compact form.
 */
class SegmentedTitle {
  readonly compact: string
  readonly #words: Uint8Array
  readonly #phrases: Uint8Array
  readonly #unknown: [number, number][] = []

  constructor(spaced: string) {
    this.compact = removeSpacesNextToThai(spaced)
    const placeOf = this.#places(spaced)
    this.#words = this.#borders()
    for (const { index } of dictionary.segment(spaced)) this.#words[placeOf[index]!] = 1
    this.#phrases = this.#borders()
    for (const { start, end, id } of unitsOf(spaced)) {
      this.#phrases[placeOf[start]!] = 1
      this.#phrases[placeOf[end]!] = 1
      if (id < 0) this.#unknown.push([placeOf[start]!, placeOf[end]!])
    }
  }

  #places(spaced: string): Int32Array {
    const offsets = new Int32Array(spaced.length + 1)
    let at = 0
    for (let from = 0; from < spaced.length; from += 1) {
      offsets[from] = at
      if (spaced[from] === this.compact[at]) at += 1
    }
    offsets[spaced.length] = this.compact.length
    return offsets
  }

  #borders(): Uint8Array {
    const borders = new Uint8Array(this.compact.length + 1)
    borders[0] = 1
    borders[this.compact.length] = 1
    return borders
  }

  isWhole(start: number, end: number): boolean {
    return (
      (this.#words[start] === 1 && this.#words[end] === 1) || (this.#phrases[start] === 1 && this.#phrases[end] === 1)
    )
  }

  wordsAround(start: number, end: number): string | undefined {
    const byDictionary = this.#grown(start, end, (at) => this.#words[at] === 1)
    const word = this.compact.slice(...byDictionary)
    if (word.length === end - start) return undefined
    if (loadDefaultTermModel().ids.has(word)) return word
    const [left, right] = this.#grown(...byDictionary, (at) => this.#words[at] === 1 && this.#phrases[at] === 1)
    if (right - left > MAX_WORD_LENGTH || this.#unknown.some(([from, to]) => from < right && to > left))
      return undefined
    const isOneWord = this.#words.indexOf(1, left + 1) >= right
    return !isOneWord && this.#hasShortPart(left, right) ? undefined : this.compact.slice(left, right)
  }

  /** True if the range has several words and one is too short to be a word, as in ตำบล + มะ. */
  #hasShortPart(left: number, right: number): boolean {
    let from = left
    for (let at = left + 1; at <= right; at += 1) {
      if (this.#phrases[at] !== 1) continue
      if (at - from < MIN_PART_LENGTH && at - from < right - left) return true
      from = at
    }
    return false
  }

  #grown(start: number, end: number, isBorder: (at: number) => boolean): [number, number] {
    let [left, right] = [start, end]
    while (!isBorder(left) && THAI_LETTER_PATTERN.test(this.compact[left - 1]!)) left -= 1
    while (!isBorder(right) && THAI_LETTER_PATTERN.test(this.compact[right]!)) right += 1
    return [left, right]
  }
}

const unitsOf = (spaced: string): VocabularyUnitOccurrence[] => loadDefaultTermModel().segmenter.segment(spaced)

/**
 * Returns longer words that contain the term by accident, according to both segmentations. Terms of seven letters or
 * more never do (`requiresWordBoundaries`): สายใยแก้วนำแสง is a kind of ใยแก้วนำแสง.
 */
export function findLongerWords(term: string, spaced: string): string[] {
  if (!requiresWordBoundaries(term)) return []
  const longer = new Set<string>()
  const compact = removeSpacesNextToThai(spaced)
  let title: SegmentedTitle | undefined
  for (let start = compact.indexOf(term); start >= 0; start = compact.indexOf(term, start + 1)) {
    title ??= new SegmentedTitle(spaced)
    const end = start + term.length
    if (title.isWhole(start, end)) continue
    const words = title.wordsAround(start, end)
    if (words !== undefined) longer.add(words)
  }
  return [...longer]
}
