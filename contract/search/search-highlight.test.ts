import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { normaliseThai, toNormalisedSearchText } from '../thai/thai-text.ts'
import { parseSearchExpression } from './search-grammar.ts'
import { findHighlightRanges, getHighlightWords } from './search-highlight.ts'
import { matchesSearch } from './search-match.ts'

const anyText = fc.oneof(
  fc.string({ unit: fc.constantFrom(...'กล้องวงจรปิดน้ำเเแ่ํา ab1AIT#|<()"\\%_\u200b–×½“’,00'), maxLength: 40 }),
  fc.string({ unit: 'binary', maxLength: 40 }),
)

const isBare = (word: string) => !(word.length > 2 && word.startsWith('"') && word.endsWith('"'))

describe('findHighlightRanges', () => {
  const cut = (words: readonly string[], text: string) =>
    findHighlightRanges(words, text).map(({ start, end }) => text.slice(start, end))

  it.each([
    ['blanks inside the match', ['กล้องวงจรปิด'], 'ติดตั้งกล้อง วงจร  ปิด 10 ตัว', ['กล้อง วงจร  ปิด']],
    ['the tone of the last consonant', ['กล'], 'ซื้อกล้อง', ['กล้']],
    ['nothing more than the word', ['กล'], 'สายกลาง', ['กล']],
    ['sara am in two characters', ['น้ำ'], 'ประปาน\u0e4d\u0e49\u0e32ใส', ['น\u0e4d\u0e49\u0e32']],
    ['two sara e', ['แม่'], 'บ้านเเม่ลาน', ['เเม่']],
    ['other digits and letter case', ['cctv 10'], 'ชุด CCTV ๑๐ ตัว', ['CCTV ๑๐']],
    ['invisible characters', ['กลอง'], 'ซื้อก\u200bล\u200bอ\u200bง', ['ก\u200bล\u200bอ\u200bง']],
    ['every occurrence', ['ยา'], 'ยา และยาง', ['ยา', 'ยา']],
    ['words that touch, as one', ['กล้อง', 'วงจรปิด'], 'กล้องวงจรปิด', ['กล้องวงจรปิด']],
    ['words that overlap, as one', ['กล้องวงจร', 'วงจรปิด'], 'กล้องวงจรปิด', ['กล้องวงจรปิด']],
    ['only what keeps the boundary rule', ['IT'], 'capital IT', ['IT']],
    ['quoted words with their blanks', ['"กล้อง วงจร"'], 'กล้องวงจร กล้อง วงจร', ['กล้อง วงจร']],
    ['nothing for an empty word', ['', ' ', '""'], 'กล้อง', []],
    ['decomposed Latin', ['café'], 'ร้าน cafe\u0301', ['cafe\u0301']],
    ['a squared unit', ['m2'], '5 ㎡', ['㎡']],
    [
      'dashes, crosses and curly quotes',
      ['กม.0-กม.1', '6x4', "let's"],
      'กม.0–กม.1 6×4 “Let’s”',
      ['กม.0–กม.1', '6×4', 'Let’s'],
    ],
    ['a fraction behind its number', ['1 1/2 นิ้ว'], 'ท่อ ๑½ นิ้ว', ['๑½ นิ้ว']],
    ['a number with its commas', ['30000 บีทียู'], 'แอร์ ๓๐,๐๐๐ บีทียู', ['๓๐,๐๐๐ บีทียู']],
    ['a number with other separators', ['30000 บีทียู'], 'แอร์ 30٬000 บีทียู', ['30٬000 บีทียู']],
    ['a number with curly apostrophes', ['30,000'], 'แอร์ 30’000 บีทียู', ['30’000']],
    ['a number with narrow blanks', ['30,000'], 'แอร์ 30\u202f000 บีทียู', ['30\u202f000']],
    ['a dash with spaces around it', ['427-2562'], 'มอก. 427 – 2562', ['427 – 2562']],
    ['a dash without spaces for one with them', ['TH - JP'], 'ความตกลง TH-JP', ['TH-JP']],
    ['numbers of a register alone', ['420-51-104'], 'เลข 420-51-104,420-51-105 ก', ['420-51-104']],
  ])('marks %s', (_, words, text, marked) => {
    expect(cut(words, text)).toEqual(marked)
  })

  it('returns ordered ranges on grapheme borders, and some exactly when the search matches', () => {
    const segmenter = new Intl.Segmenter('th', { granularity: 'grapheme' })
    fc.assert(
      fc.property(anyText, anyText, (word, text) => {
        fc.pre(isBare(word))
        const ranges = findHighlightRanges([word], text)
        const borders = new Set([...segmenter.segment(text)].map(({ index }) => index)).add(text.length)
        let last = -1
        for (const { start, end } of ranges) {
          expect(start).toBeGreaterThan(last)
          expect(end).toBeGreaterThan(start)
          expect(borders.has(start) && borders.has(end)).toBe(true)
          last = end
        }
        expect(ranges.length > 0).toBe(matchesSearch({ kind: 'term', text: word, quoted: false }, text))
      }),
      { numRuns: 5000 },
    )
  })

  it('marks every occurrence', () => {
    fc.assert(
      fc.property(anyText, fc.nat(40), fc.nat(8), (text, from, length) => {
        const word = text.slice(from, from + length)
        fc.pre(isBare(word))
        for (const { start, end } of findHighlightRanges([word], text)) {
          expect(toNormalisedSearchText(text.slice(start, end))).toContain(toNormalisedSearchText(word))
          expect(normaliseThai(text.slice(start, end)).length).toBeLessThanOrEqual(normaliseThai(text).length)
        }
      }),
      { numRuns: 5000 },
    )
  })
})

it('getHighlightWords returns the words that results contain, with quoted ones in quotes', () => {
  const words = (expression: string) => {
    const parsed = parseSearchExpression(expression)
    return parsed.ok ? getHighlightWords(parsed.node) : undefined
  }
  expect(words('(กล้อง||"CCTV IP")##ติดตั้ง||กล้อง<<ซ่อม<<เช่า')).toEqual(['กล้อง', '"CCTV IP"', 'ติดตั้ง'])
  expect(words('<<ซ่อม')).toEqual([])
})
