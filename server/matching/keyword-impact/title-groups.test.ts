import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isWholeWord } from '#server/matching/meaning/word-borders.ts'
import { compileKeywordMatcher } from '#server/platform/text/keyword-matcher.ts'
import { findTitlesDecidedByTerm, type KeywordEvidenceTerm, pickEvenlySpaced } from './title-groups.ts'

const WORDS = ['กล้องวงจรปิด', 'cctv', 'โทรทัศน์วงจรปิด', 'ติดตั้ง', 'ปรับปรุงระบบ', 'จอแสดงภาพ'] as const

/** Returns for each title whether the report's matcher finds it by these terms. */
function foundBy(
  terms: readonly KeywordEvidenceTerm[],
  all: readonly KeywordEvidenceTerm[],
  titles: readonly string[],
): boolean[] {
  const plain = (facet: number) =>
    terms.filter((term) => term.facet === facet).map(({ term }) => ({ text: term, wholeWord: false }))
  // A facet without accepted terms still counts, so the keyword cannot match through its facets.
  const facets = [...new Set(all.map(({ facet }) => facet))].filter((facet) => facet > 0)
  const keyword = { id: 1, standalone: plain(0), sides: facets.map(plain) }
  const matcher = compileKeywordMatcher<number>([], { keywords: [keyword], isWholeWord })
  return titles.map((title) => matcher.match(title, title).length > 0)
}

test('a term decides the titles that match only with it', () => {
  const term = fc.record({ term: fc.constantFrom(...WORDS), facet: fc.nat({ max: 2 }), acts: fc.boolean() })
  const terms = fc.uniqueArray(term, {
    minLength: 1,
    maxLength: 8,
    selector: (entry) => `${entry.facet} ${entry.term}`,
  })
  const titles = fc.array(
    fc.subarray([...WORDS]).map((words) => `ซื้อ ${words.join(' และ ')}`),
    { minLength: 1, maxLength: 8 },
  )
  fc.assert(
    fc.property(terms, titles, (evidenceTerms, names) => {
      const indexesByWord = new Map(
        WORDS.map((word) => [word, names.flatMap((name, index) => (name.includes(word) ? [index] : []))]),
      )
      const expected = evidenceTerms.map((entry) => {
        const otherTerms = evidenceTerms.filter((candidate) => candidate !== entry && candidate.acts)
        const [withIt, without] = [
          foundBy([...otherTerms, entry], evidenceTerms, names),
          foundBy(otherTerms, evidenceTerms, names),
        ]
        return names.flatMap((_, index) => (withIt[index] && !without[index] ? [index] : []))
      })
      expect(findTitlesDecidedByTerm(evidenceTerms, indexesByWord)).toEqual(expected)
    }),
    { numRuns: 150 },
  )
})

test('samples titles across the whole year', () => {
  expect(pickEvenlySpaced([1, 2], 3)).toEqual([1, 2])
  expect(pickEvenlySpaced([0, 1, 2, 3, 4, 5, 6, 7, 8], 3)).toEqual([1, 4, 7])
})
