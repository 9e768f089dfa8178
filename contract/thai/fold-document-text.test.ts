import { expect, test } from 'vitest'
import { parseDocumentQuery } from '../documents/document-search.ts'
import { findPhraseInFoldedText, foldDocumentText, getFoldedTextTrigrams } from './fold-document-text.ts'

const fold = (text: string) => foldDocumentText(text).folded

test.each([
  ['blanks, line ends and digits', 'ราคา กลาง\n๑,๒๓๔', 'ราคากลาง1,234'],
  ['sara am whole and in two', 'น\u0e49\u0e33', 'น\u0e4d\u0e49\u0e32'],
  ['a tone before its vowel', 'ท\u0e48\u0e35', 'ท\u0e35\u0e48'],
  ['a doubled mark', 'ท\u0e35\u0e35\u0e48', 'ท\u0e35\u0e48'],
  ['marks of old fonts', 'ท\uf702\uf70a', 'ท\u0e35\u0e48'],
  ['a split sara ae', 'เเผน', 'แผน'],
  ['capitals', 'CCTV', 'cctv'],
  ['what cannot be seen', 'กล\u200bอง\ufeff', 'กลอง'],
])('folds %s to the same text', (_, text, otherText) => {
  expect(fold(text)).toBe(fold(otherText))
})

test('keeps different letters apart', () => {
  expect(fold('ที่')).not.toBe(fold('ทิ่'))
  expect(fold('เแ')).not.toBe(fold('แแ'))
})

test('returns match positions in the original text', () => {
  const text = 'ก) หลัก ประกัน\nสัญญา และหลักประกัน'
  const matches = findPhraseInFoldedText(foldDocumentText(text), fold('หลักประกัน'))
  expect(matches.map(({ from, to }) => text.slice(from, to))).toEqual(['หลัก ประกัน', 'หลักประกัน'])
  expect(findPhraseInFoldedText(foldDocumentText(text), '')).toEqual([])
})

test('text contains every trigram of its phrases, and codes fit into 32 bits', () => {
  const text = fold('ประกวดราคาซื้อกล้อง CCTV พร้อมติดตั้ง 😀 ๑๒๓')
  const codes = new Set(getFoldedTextTrigrams(text))
  for (let from = 0; from + 3 <= text.length; from += 1)
    expect(getFoldedTextTrigrams(text.slice(from, from + 3)).every((code) => codes.has(code))).toBe(true)
  expect([...codes].every((code) => Number.isInteger(code) && code > 0 && code < 2 ** 30)).toBe(true)
  expect(getFoldedTextTrigrams('กข')).toEqual([])
})

test('parseDocumentQuery returns the phrases to mark: no negated terms, nothing below a trigram', () => {
  expect(parseDocumentQuery('ราคากลาง || "หลัก ประกัน" << ยกเลิก')).toMatchObject({
    ok: true,
    phrases: [fold('ราคากลาง'), fold('หลักประกัน')],
  })
  expect(parseDocumentQuery('๑ ๒').ok).toBe(false)
  expect(parseDocumentQuery('<< ยกเลิก').ok).toBe(false)
})
