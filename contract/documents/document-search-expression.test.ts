import { expect, test } from 'vitest'
import { parseSearchExpressionOrThrow } from '../search/search-grammar.ts'
import { foldDocumentText } from '../thai/fold-document-text.ts'
import {
  buildPassageSearchQuery,
  getFoldedPhrases,
  matchesDocumentText,
  parseDocumentSearchExpression,
} from './document-search-expression.ts'

const DOCUMENTS = ['หลักประกัน\nการเสนอราคา ๕,๐๐๐ บาท', 'มาตรฐาน ISO ๙๐๐๑'].map((text) => foldDocumentText(text).folded)
const fits = (expression: string, documents = DOCUMENTS) =>
  matchesDocumentText(parseSearchExpressionOrThrow(expression), (phrase) =>
    documents.some((text) => text.includes(phrase)),
  )

test.each([
  ['หลักประกันการเสนอราคา', true],
  ['"หลัก ประกัน"', true],
  ['5,000 บาท', true],
  ['iso 9001', true],
  ['หลักประกัน##ISO 9001', true],
  ['หลักประกัน##ISO 14001', false],
  ['ISO 14001||ISO 9001', true],
  ['หลักประกัน<<ISO 9001', false],
  ['<<ISO 14001', true],
  ['(ISO 14001||(<<ประกันภัย))##๙๐๐๑', true],
])('%s: %s', (expression, expected) => expect(fits(expression)).toBe(expected))

test('a project without documents matches an expression that only excludes', () => {
  expect([fits('<<ISO 9001', []), fits('ISO 9001', [])]).toEqual([true, false])
})

test('looks up each phrase once, including excluded ones', () => {
  expect(getFoldedPhrases(parseSearchExpressionOrThrow('ISO 9001||"iso ๙๐๐๑"<<ประกัน'))).toEqual(['iso9001', 'ประกัน'])
})

test.each([
  ['ก', 'E_SHORT_DOCUMENT', 0],
  ['ยา', 'E_SHORT_DOCUMENT', 0],
  ['หลักประกัน##ยา', 'E_SHORT_DOCUMENT', 12],
  ['"ย า"', 'E_SHORT_DOCUMENT', 1],
  ['หลัก##', 'E_OPERAND', 6],
  [Array.from({ length: 13 }, (_, at) => `คำที่${at}`).join('||'), 'E_TERMS_DOCUMENT', 98],
])('rejects %s with %s', (expression, code, position) => {
  expect(parseDocumentSearchExpression(expression)).toEqual({ ok: false, error: { code, position } })
})

test('accepts twelve terms', () => {
  expect(parseDocumentSearchExpression(Array.from({ length: 12 }, (_, at) => `คำที่${at}`).join('||'))).toMatchObject({
    ok: true,
  })
})

test.each([
  ['ISO 9001', 'ISO 9001'],
  ['(ISO 9001##"หลัก ประกัน")<<ยกเลิก', 'ISO 9001||"หลัก ประกัน"'],
  ['<<ยกเลิก', undefined],
  ['ยา', undefined],
])('passagesQuestion of %s', (expression, question) => expect(buildPassageSearchQuery(expression)).toBe(question))
