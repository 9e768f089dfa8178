import { expect, test } from 'vitest'
import { buildTestKeyword } from '#src/matching/api/organisation-for-tests.ts'
import { checkKeywordDraft } from './check-keyword-draft.ts'

const stored = [buildTestKeyword(1, 'กล้องวงจรปิด 10')]

test.each([
  ['(กล้อง||CCTV', 'E_BRACKET', 0],
  ['กล้อง##', 'E_OPERAND', 7],
  ['กล้อง####CCTV', 'E_OPERATOR', 5],
  ['"กล้อง', 'E_QUOTE', 0],
])('reports the position of the error in %s', (word, code, position) => {
  expect(checkKeywordDraft('include', word, [])).toMatchObject({ state: 'wrong', code, position, isBeginning: false })
})

test('treats one letter as incomplete, not as a mistake', () => {
  expect(checkKeywordDraft('include', 'ก', [])).toMatchObject({ state: 'wrong', code: 'E_SHORT', isBeginning: true })
})

test('reports another spelling of a stored word as its duplicate', () => {
  const check = checkKeywordDraft('include', 'กล้อง วงจรปิด ๑๐', stored)
  expect(check).toMatchObject({ state: 'wrong', code: 'duplicate' })
  expect(check.state === 'wrong' && check.text).toContain('“กล้องวงจรปิด 10”')
})

test('shows the normalised form of a word and the reading of an expression', () => {
  expect(checkKeywordDraft('include', 'กล้อง ๑๐', [])).toMatchObject({ state: 'good', form: 'กล้อง10', echo: undefined })
  expect(checkKeywordDraft('include', 'กล้อง', [])).toMatchObject({ state: 'good', form: undefined })
  expect(checkKeywordDraft('include', 'กล้อง##ติดตั้ง||CCTV', [])).toMatchObject({
    state: 'good',
    echo: 'มี (กล้อง และ ติดตั้ง) หรือ CCTV',
    hint: '(กล้อง##ติดตั้ง)||CCTV',
  })
})

test('offers our operators for those of other search engines', () => {
  expect(checkKeywordDraft('include', 'กล้อง OR CCTV -ซ่อม', [])).toMatchObject({ offer: 'กล้อง||CCTV<<ซ่อม' })
})

test('accepts only plain words in the AI lists', () => {
  expect(checkKeywordDraft('ai_include', 'กล้อง||CCTV', [])).toMatchObject({ code: 'operator', position: 5 })
  expect(checkKeywordDraft('ai_include', 'กล้อง OR CCTV', [])).toMatchObject({ state: 'good', offer: undefined })
})
