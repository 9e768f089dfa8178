import { expect, test } from 'vitest'
import { holdsOperators, operatorOffer, readProjectIds } from './operator-offer.ts'

test.each([
  ['กล้อง AND วงจรปิด', 'กล้อง##วงจรปิด'],
  ['กล้อง -ซ่อม', 'กล้อง<<ซ่อม'],
])('%s is offered as %s', (text, expression) => {
  expect(operatorOffer(text)).toBe(expression)
})

test.each(['กล้องวงจรปิด', 'C#', 'อาคาร 3-4 ชั้น', 'a<b'])('%s is left as it was typed', (text) => {
  expect(operatorOffer(text)).toBeUndefined()
})

test.each(['กล้อง||CCTV', 'กล้อง##วงจรปิด', '<<ซ่อม', 'กล้อง##'])('%s holds operators, so it needs no offer', (text) => {
  expect(holdsOperators(text)).toBe(true)
  expect(operatorOffer(text)).toBeUndefined()
})

test.each(['C#', 'a<b', 'จอ (19 นิ้ว)', 'ก|ข'])('%s holds no operator', (text) => {
  expect(holdsOperators(text)).toBe(false)
})

test('pasted project numbers are read whatever stands between them', () => {
  expect(readProjectIds('69119284417\n69119271820, 69119260093;69119284417')).toEqual([
    '69119284417',
    '69119271820',
    '69119260093',
  ])
  expect(readProjectIds('69119284417 กล้อง')).toBeUndefined()
})
