import { expect, test } from 'vitest'
import { keywordForTests } from '#src/matching/api/organisation-for-tests.ts'
import { checkDraft } from './draft-check.ts'

const stored = [keywordForTests(1, 'กล้องวงจรปิด 10')]

test.each([
  ['(กล้อง||CCTV', 'E_BRACKET', 0],
  ['กล้อง##', 'E_OPERAND', 7],
  ['กล้อง####CCTV', 'E_OPERATOR', 5],
  ['"กล้อง', 'E_QUOTE', 0],
])('%s is wrong at its place', (word, code, position) => {
  expect(checkDraft('include', word, [])).toMatchObject({ state: 'wrong', code, position, isBeginning: false })
})

test('one letter is a beginning, not a mistake', () => {
  expect(checkDraft('include', 'ก', [])).toMatchObject({ state: 'wrong', code: 'E_SHORT', isBeginning: true })
})

test('another spelling of a stored word is a duplicate that names it', () => {
  const check = checkDraft('include', 'กล้อง วงจรปิด ๑๐', stored)
  expect(check).toMatchObject({ state: 'wrong', code: 'duplicate' })
  expect(check.state === 'wrong' && check.text).toContain('“กล้องวงจรปิด 10”')
})

test('a good word says how it is compared, an expression how it is read', () => {
  expect(checkDraft('include', 'กล้อง ๑๐', [])).toMatchObject({ state: 'good', form: 'กล้อง10', echo: undefined })
  expect(checkDraft('include', 'กล้อง', [])).toMatchObject({ state: 'good', form: undefined })
  expect(checkDraft('include', 'กล้อง##ติดตั้ง||CCTV', [])).toMatchObject({
    state: 'good',
    echo: 'มี (กล้อง และ ติดตั้ง) หรือ CCTV',
    hint: '(กล้อง##ติดตั้ง)||CCTV',
  })
})

test('signs of other search boxes are offered as ours', () => {
  expect(checkDraft('include', 'กล้อง OR CCTV -ซ่อม', [])).toMatchObject({ offer: 'กล้อง||CCTV<<ซ่อม' })
})

test('lists by meaning take plain words', () => {
  expect(checkDraft('ai_include', 'กล้อง||CCTV', [])).toMatchObject({ code: 'operator', position: 5 })
  expect(checkDraft('ai_include', 'กล้อง OR CCTV', [])).toMatchObject({ state: 'good', offer: undefined })
})
