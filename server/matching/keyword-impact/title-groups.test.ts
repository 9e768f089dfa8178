import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isWholeWord } from '#server/matching/meaning/word-borders.ts'
import { compileKeywords } from '#server/platform/text/word-trie.ts'
import { type AskedTerm, placesThatDecide, spread } from './title-groups.ts'

const WORDS = ['กล้องวงจรปิด', 'cctv', 'โทรทัศน์วงจรปิด', 'ติดตั้ง', 'ปรับปรุงระบบ', 'จอแสดงภาพ'] as const

/** Returns which titles the report's matcher finds by these terms. */
function foundBy(terms: readonly AskedTerm[], all: readonly AskedTerm[], titles: readonly string[]): boolean[] {
  const plain = (facet: number) =>
    terms.filter((term) => term.facet === facet).map(({ term }) => ({ text: term, wholeWord: false }))
  // A side whose terms are all rejected is still a side.
  const facets = [...new Set(all.map(({ facet }) => facet))].filter((facet) => facet > 0)
  const keyword = { id: 1, alone: plain(0), sides: facets.map(plain) }
  const matcher = compileKeywords<number>([], { keywords: [keyword], isWholeWord })
  return titles.map((title) => matcher.match(title, title).length > 0)
}

test('a term decides the titles that the engine finds with it and not without it', () => {
  const term = fc.record({ term: fc.constantFrom(...WORDS), facet: fc.nat({ max: 2 }), acts: fc.boolean() })
  const terms = fc.uniqueArray(term, { minLength: 1, maxLength: 8, selector: (one) => `${one.facet} ${one.term}` })
  const titles = fc.array(
    fc.subarray([...WORDS]).map((words) => `ซื้อ ${words.join(' และ ')}`),
    { minLength: 1, maxLength: 8 },
  )
  fc.assert(
    fc.property(terms, titles, (asked, names) => {
      const places = new Map(
        WORDS.map((word) => [word, names.flatMap((name, place) => (name.includes(word) ? [place] : []))]),
      )
      const expected = asked.map((one) => {
        const others = asked.filter((other) => other !== one && other.acts)
        const [withIt, without] = [foundBy([...others, one], asked, names), foundBy(others, asked, names)]
        return names.flatMap((_, place) => (withIt[place] && !without[place] ? [place] : []))
      })
      expect(placesThatDecide(asked, places)).toEqual(expected)
    }),
    { numRuns: 300 },
  )
})

test('shows titles from all over the year', () => {
  expect(spread([1, 2], 3)).toEqual([1, 2])
  expect(spread([0, 1, 2, 3, 4, 5, 6, 7, 8], 3)).toEqual([1, 4, 7])
})
