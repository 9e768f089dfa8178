import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseSearchExpression } from '#contract/search/search-grammar.ts'
import { matchesSearch } from '#contract/search/search-match.ts'
import { normaliseThai, toNormalisedSearchText } from '#contract/thai/thai-text.ts'
import { buildAhoCorasickAutomaton } from './aho-corasick-automaton.ts'
import { compileKeywordMatcher } from './keyword-matcher.ts'

const matchesOf = (expressions: readonly string[], title: string) =>
  compileKeywordMatcher(expressions.map((expression) => ({ id: expression, expression }))).match(
    toNormalisedSearchText(title),
    normaliseThai(title),
  )

describe('keywords find a title', () => {
  it('by plain words and by expressions, and return the words found', () => {
    const expressions = [
      'กล้อง',
      'กล้อง##CCTV',
      'กล้อง<<ซ่อม',
      'ถนน||วงจรปิด',
      '(กล้อง||ถนน)##ติดตั้ง',
      '"กล้อง วงจรปิด"',
      '"กล้องวงจรปิด"',
      'IT',
      '<<ถนน',
      '<<กล้อง',
    ]
    expect(matchesOf(expressions, 'ติดตั้งกล้อง วงจรปิด capital')).toEqual([
      { id: '(กล้อง||ถนน)##ติดตั้ง', words: ['กล้อง', 'ติดตั้ง'] },
      { id: 'กล้อง', words: ['กล้อง'] },
      { id: 'กล้อง<<ซ่อม', words: ['กล้อง'] },
      { id: 'ถนน||วงจรปิด', words: ['วงจรปิด'] },
      { id: '"กล้อง วงจรปิด"', words: ['"กล้อง วงจรปิด"'] },
      { id: '<<ถนน', words: [] },
    ])
  })

  it('even where a longer word contains a shorter one', () => {
    expect(matchesOf(['กล้องวงจรปิด', 'วงจร', 'จรปิด', 'ปิด'], 'กล้องวงจรปิด').map(({ id }) => id)).toEqual([
      'วงจร',
      'กล้องวงจรปิด',
      'จรปิด',
      'ปิด',
    ])
  })

  it('with one spelling shared by several keywords, and several ids for one word', () => {
    const matcher = compileKeywordMatcher([
      { id: 1, expression: 'CCTV' },
      { id: 2, expression: 'cctv' },
      { id: 3, expression: 'ＣＣＴＶ' },
    ])
    expect(matcher.match('cctv', 'cctv').map(({ id }) => id)).toEqual([1, 2, 3])
  })

  it('except keywords that do not parse, which are reported', () => {
    const matcher = compileKeywordMatcher([
      { id: 1, expression: '(กล้อง' },
      { id: 2, expression: 'ก' },
      { id: 3, expression: 'กล้อง' },
    ])
    expect(matcher.invalid).toEqual([
      { id: 1, error: { code: 'E_BRACKET', position: 0 } },
      { id: 2, error: { code: 'E_SHORT', position: 0 } },
    ])
    expect(matcher.match('กล้อง', 'กล้อง')).toEqual([{ id: 3, words: ['กล้อง'] }])
  })

  it('never when there are none', () => {
    expect(matchesOf([], 'กล้อง')).toEqual([])
  })
})

describe('a word that expands to terms finds a title', () => {
  const isBlankOrEdge = (text: string, at: number) =>
    at === 0 || at === text.length || text[at - 1] === '-' || text[at] === '-'
  const matchedWords = (
    standalone: readonly string[],
    sides: readonly (readonly string[])[],
    text: string,
    wholeWord = false,
  ) => {
    const plain = (texts: readonly string[]) => texts.map((word) => ({ text: word, wholeWord }))
    const matcher = compileKeywordMatcher([{ id: 0, expression: 'ยา' }], {
      keywords: [{ id: 1, standalone: plain(standalone), sides: sides.map(plain) }],
      isWholeWord: (title, start, end) => isBlankOrEdge(title, start) && isBlankOrEdge(title, end),
    })
    return matcher.match(toNormalisedSearchText(text), normaliseThai(text)).find(({ id }) => id === 1)?.words
  }

  it('by one standalone term, and returns all terms that occur', () => {
    expect(matchedWords(['กล้อง', 'CCTV', 'โดม'], [], 'ระบบ CCTV และกล้อง')).toEqual(['กล้อง', 'CCTV'])
    expect(matchedWords(['CCTV'], [], 'CCTVS')).toBeUndefined()
    expect(matchedWords(['', ' '], [], 'กล้อง')).toBeUndefined()
  })

  it('by one term of every side, and not by only some sides', () => {
    const sides = [
      ['ปรับปรุง', 'ซ่อมสร้าง'],
      ['ถนน', 'ผิวทาง'],
    ]
    expect(matchedWords([], sides, 'ซ่อมสร้างผิวทางและถนน')).toEqual(['ซ่อมสร้าง', 'ถนน', 'ผิวทาง'])
    expect(matchedWords(['ถนน'], sides, 'ก่อสร้างถนน')).toEqual(['ถนน'])
    expect(matchedWords([], sides, 'ก่อสร้างถนน')).toBeUndefined()
    expect(matchedWords([], [['ถนน'], []], 'ถนน')).toBeUndefined()
  })

  it('at word boundaries where required, even if another word matches the same letters anywhere', () => {
    expect(matchedWords(['ยา'], [], 'ยาง-ยาว', true)).toBeUndefined()
    expect(matchedWords(['ยา'], [], 'ยาง-ยา', true)).toEqual(['ยา'])
  })
})

const title = fc.string({ unit: fc.constantFrom(...'กขคab1 -'), maxLength: 16 })
const term = fc.string({ unit: fc.constantFrom(...'กขab1 -'), minLength: 2, maxLength: 4 })
const keyword = fc
  .tuple(term, fc.constantFrom('', '##', '||', '<<'), term, fc.constantFrom('', '<<'), fc.boolean())
  .map(
    ([first, operator, second, leading, quoted]) =>
      `${leading}${operator === '' ? first : `${first}${operator}${quoted ? `"${second}"` : second}`}`,
  )
  .filter((expression) => parseSearchExpression(expression).ok)

it('finds what matchesSearch finds, keyword by keyword', () => {
  let matchCount = 0
  fc.assert(
    fc.property(
      fc.array(keyword, { maxLength: 12 }),
      fc.array(title, { minLength: 1, maxLength: 5 }),
      (expressions, titles) => {
        const matcher = compileKeywordMatcher(expressions.map((expression, id) => ({ id, expression })))
        for (const titleText of titles) {
          const ids = matcher.match(toNormalisedSearchText(titleText), normaliseThai(titleText)).map(({ id }) => id)
          const expected = expressions.flatMap((expression, id) => {
            const parsed = parseSearchExpression(expression)
            return parsed.ok && matchesSearch(parsed.node, titleText) ? [id] : []
          })
          expect(ids.toSorted((a, b) => a - b)).toEqual(expected)
          matchCount += expected.length
        }
      },
    ),
    { numRuns: 400 },
  )
  expect(matchCount).toBeGreaterThan(200)
})

it.each([
  ['with all rows full', undefined],
  ['with the root alone full', 1],
  ['with some rows full', 40],
])('the automaton finds every occurrence of every word, %s', (_, denseCells) => {
  const words = fc.uniqueArray(fc.string({ unit: fc.constantFrom(...'abก'), minLength: 1, maxLength: 5 }), {
    minLength: 1,
    maxLength: 12,
  })
  fc.assert(
    fc.property(words, fc.string({ unit: fc.constantFrom(...'abกx'), maxLength: 40 }), (list, text) => {
      const hits: string[] = []
      buildAhoCorasickAutomaton(list, denseCells).scan(text, (word, start, end) => {
        expect(text.slice(start, end)).toBe(list[word])
        hits.push(`${word}@${start}`)
      })
      const expected = list.flatMap((word, index) =>
        [...text].flatMap((__, start) => (text.startsWith(word, start) ? [`${index}@${start}`] : [])),
      )
      expect(hits).toHaveLength(expected.length)
      expect(new Set(hits)).toEqual(new Set(expected))
    }),
    { numRuns: 500 },
  )
})
