import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toNormalisedSearchText } from '#contract/thai/thai-text.ts'
import { isWholeWord, requiresWordBoundaries } from '#server/matching/meaning/word-borders.ts'
import { expandSemanticSearchSync } from './expand-semantic-search.ts'

type Term = ReturnType<typeof expandSemanticSearchSync>['terms'][number]

/** Searches the name for one term after another, and evaluates every facet. */
function matchPlainly(terms: readonly Term[], name: string) {
  const closestFirst = terms.toSorted((a, b) => b.similarity - a.similarity)
  const contained = closestFirst.filter(({ term }) => containsPlainly(name, toNormalisedSearchText(term)))
  const facets = new Set(terms.map(({ facet }) => facet).filter((facet) => facet > 0))
  const sides = [...facets].map((facet) => contained.find((term) => term.facet === facet)?.similarity ?? -1)
  const weakest = sides.length === 0 ? -1 : Math.min(...sides)
  const best = contained.find(({ facet, similarity }) => facet === 0 && similarity >= weakest)
  return best?.similarity ?? (weakest < 0 ? undefined : weakest)
}

function containsPlainly(name: string, term: string): boolean {
  if (!requiresWordBoundaries(term)) return name.includes(term)
  for (let at = name.indexOf(term); at >= 0; at = name.indexOf(term, at + 1))
    if (isWholeWord(name, at, at + term.length)) return true
  return false
}

test('one scan of a name finds what a search for each term finds', () => {
  const similarities = new Set<number | undefined>()
  for (const sentence of ['กล้องวงจรปิด', 'ยา', 'ซ่อมคอมพิวเตอร์', 'ปรับปรุงถนน', 'it', 'C#', 'ไม่มีคำนี้แน่นอนฃฅ']) {
    const { terms, match } = expandSemanticSearchSync(sentence)
    const pieces = [...terms.map(({ term }) => term), 'จ้าง', 'ซื้อ', 'ยาง', 'กก', ' ', '2 ', 'ทางเข้า', 'สาย']
    const name = fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(name, (drawn) => {
        const text = toNormalisedSearchText(drawn.join(''))
        const expected = matchPlainly(terms, text)
        similarities.add(expected)
        expect(match(text)?.similarity, `${sentence}: ${text}`).toBe(expected)
      }),
      { numRuns: 300 },
    )
  }
  expect(similarities).toContain(undefined)
  expect(similarities.size).toBeGreaterThan(10)
})
