import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findSearchTerm, toNormalisedSearchTerm } from '#contract/search/search-term.ts'
import { normaliseThai, removeSpacesNextToThai } from '#contract/thai/thai-text.ts'
import { createTextNeedle, EncodedTextIndex, isRowInAllBitmaps } from './encoded-text-index.ts'

/**
 * The texts consist of few pieces, so that terms occur often, are split by spaces and appear next to guard characters.
 */
const PIECES = ['กล้อง', 'วงจร', 'ปิด', 'IT', 'cctv', '10', 'ก', 'é', '漢', '😀', ' ', ' ', '%', '-']
const text = (maxLength: number) =>
  fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength }).map((pieces) => pieces.join(''))

function stored(titles: readonly string[]): EncodedTextIndex {
  const bytes = new EncodedTextIndex()
  bytes.reserve(Math.ceil(titles.length / 32) * 32)
  for (const [row, title] of titles.entries()) bytes.set(row, title)
  return bytes
}

test('finds a term, quoted or not, in exactly the titles that a plain text search finds', () => {
  let matchCount = 0
  // All runs share one index, because earlier contents of a row must not affect the result.
  const bytes = stored([])
  bytes.reserve(32)
  fc.assert(
    fc.property(
      fc.array(text(12).map(normaliseThai), { minLength: 1, maxLength: 8 }),
      text(4),
      fc.boolean(),
      (titles, word, quoted) => {
        for (const [row, title] of titles.entries()) bytes.set(row, title)
        const term = toNormalisedSearchTerm({ text: word, quoted })
        fc.pre(term.form !== '')
        const needle = createTextNeedle(term)
        const sieves = bytes.sieves(needle)
        for (const [row, title] of titles.entries()) {
          const isExpected = findSearchTerm(term, quoted ? title : removeSpacesNextToThai(title)) !== -1
          expect(bytes.contains(row, needle), JSON.stringify([title, term])).toBe(isExpected)
          if (!isExpected) continue
          matchCount += 1
          expect(isRowInAllBitmaps(sieves, row)).toBe(true)
        }
      },
    ),
    { numRuns: 2_000 },
  )
  expect(matchCount).toBeGreaterThan(500)
})

test('keeps the positions of blanks that are far apart', () => {
  for (const length of [254, 255, 256, 510, 511, 1_000]) {
    const long = 'ก'.repeat(length)
    const titles = [`${long} ข ${long} ค`, `${long}ข ${long} ค`, `${long} ข ${long}ค`]
    const bytes = stored(titles)
    for (const word of [`${long} ข`, `${long} ค`, `ข ${long}`, `${long}ค`, `${long}ข`]) {
      const term = toNormalisedSearchTerm({ text: word, quoted: true })
      for (const [row, title] of titles.entries())
        expect(bytes.contains(row, createTextNeedle(term)), `${length} ${word} ${row}`).toBe(title.includes(word))
    }
  }
})

test('searches the new text of a replaced title', () => {
  const bytes = stored(['กล้อง วงจรปิด'])
  bytes.set(0, 'กล้องวงจร ปิด')
  const containsWord = (word: string) =>
    bytes.contains(0, createTextNeedle(toNormalisedSearchTerm({ text: word, quoted: true })))
  expect([containsWord('กล้อง วงจร'), containsWord('กล้องวงจร'), containsWord('วงจร ปิด')]).toEqual([false, true, true])
})

test('keeps earlier texts while a segment grows', () => {
  const titles = Array.from({ length: 3_000 }, (_, row) => `กล้อง ${row} `.repeat(8).trim())
  const bytes = stored(titles)
  for (const [row, title] of titles.entries()) expect(bytes.textOf(row)).toBe(removeSpacesNextToThai(title))
  expect(bytes.usedBytes).toBeLessThan(2 ** 20)
})
