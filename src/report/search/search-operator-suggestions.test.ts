import { expect, test } from 'vitest'
import { hasSearchOperators, parseProjectIds, suggestSearchOperatorSyntax } from './search-operator-suggestions.ts'

test.each([
  ['กล้อง AND วงจรปิด', 'กล้อง##วงจรปิด'],
  ['กล้อง -ซ่อม', 'กล้อง<<ซ่อม'],
])('%s is offered as %s', (text, expression) => {
  expect(suggestSearchOperatorSyntax(text)).toBe(expression)
})

test.each(['กล้องวงจรปิด', 'C#', 'อาคาร 3-4 ชั้น', 'a<b'])('%s is left unchanged', (text) => {
  expect(suggestSearchOperatorSyntax(text)).toBeUndefined()
})

test.each(['กล้อง||CCTV', 'กล้อง##วงจรปิด', '<<ซ่อม', 'กล้อง##'])('%s contains operators and needs no offer', (text) => {
  expect(hasSearchOperators(text)).toBe(true)
  expect(suggestSearchOperatorSyntax(text)).toBeUndefined()
})

test.each(['C#', 'a<b', 'จอ (19 นิ้ว)', 'ก|ข'])('%s contains no operator', (text) => {
  expect(hasSearchOperators(text)).toBe(false)
})

test('reads pasted project numbers with any separator between them', () => {
  expect(parseProjectIds('69119284417\n69119271820, 69119260093;69119284417')).toEqual([
    '69119284417',
    '69119271820',
    '69119260093',
  ])
  expect(parseProjectIds('69119284417 กล้อง')).toBeUndefined()
})
