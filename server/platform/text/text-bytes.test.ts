import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findTerm, termForm } from '#contract/search/search-term.ts'
import { compactForm, normaliseThai } from '#contract/thai/thai-text.ts'
import { isNamedBy, TextBytes, textNeedle } from './text-bytes.ts'

/** Few pieces, so that terms occur often, split by spaces, and next to guard characters. */
const PIECES = ['กล้อง', 'วงจร', 'ปิด', 'IT', 'cctv', '10', 'ก', 'é', '漢', '😀', ' ', ' ', '%', '-']
const text = (maxLength: number) =>
  fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength }).map((pieces) => pieces.join(''))

/** Stores the titles in the order given. */
function stored(titles: readonly string[]): TextBytes {
  const bytes = new TextBytes()
  bytes.reserve(Math.ceil(titles.length / 32) * 32)
  for (const [row, title] of titles.entries()) bytes.set(row, title)
  return bytes
}

test('a term, quoted or not, is found in exactly the titles in which it is found in plain text, and its set names them all', () => {
  let found = 0
  // One store for all runs: previous row contents must not matter.
  const bytes = stored([])
  bytes.reserve(32)
  fc.assert(
    fc.property(
      fc.array(text(12).map(normaliseThai), { minLength: 1, maxLength: 8 }),
      text(4),
      fc.boolean(),
      (titles, word, quoted) => {
        for (const [row, title] of titles.entries()) bytes.set(row, title)
        const term = termForm({ text: word, quoted })
        fc.pre(term.form !== '')
        const needle = textNeedle(term)
        const sieves = bytes.sieves(needle)
        for (const [row, title] of titles.entries()) {
          const wanted = findTerm(term, quoted ? title : compactForm(title)) !== -1
          expect(bytes.holds(row, needle), JSON.stringify([title, term])).toBe(wanted)
          if (!wanted) continue
          found += 1
          expect(isNamedBy(sieves, row)).toBe(true)
        }
      },
    ),
    { numRuns: 2_000 },
  )
  expect(found).toBeGreaterThan(500)
})

test('blanks that stand far apart keep their places', () => {
  for (const length of [254, 255, 256, 510, 511, 1_000]) {
    const long = 'ก'.repeat(length)
    const titles = [`${long} ข ${long} ค`, `${long}ข ${long} ค`, `${long} ข ${long}ค`]
    const bytes = stored(titles)
    for (const word of [`${long} ข`, `${long} ค`, `ข ${long}`, `${long}ค`, `${long}ข`]) {
      const term = termForm({ text: word, quoted: true })
      for (const [row, title] of titles.entries())
        expect(bytes.holds(row, textNeedle(term)), `${length} ${word} ${row}`).toBe(title.includes(word))
    }
  }
})

test('a title that is set again is the one that is found', () => {
  const bytes = stored(['กล้อง วงจรปิด'])
  bytes.set(0, 'กล้องวงจร ปิด')
  const found = (word: string) => bytes.holds(0, textNeedle(termForm({ text: word, quoted: true })))
  expect([found('กล้อง วงจร'), found('กล้องวงจร'), found('วงจร ปิด')]).toEqual([false, true, true])
})
