import { expect, test } from 'vitest'
import { listOptions, withValues } from './list-state.ts'

const CHOICES = [
  { code: 'a', th: 'หนึ่ง' },
  { code: 'b', th: 'สอง' },
]

test('known options keep their order and stay when their count is 0', () => {
  expect(listOptions(CHOICES, [{ value: 'b', count: 3 }], undefined)).toEqual([
    { code: 'a', th: 'หนึ่ง', count: 0, selected: false },
    { code: 'b', th: 'สอง', count: 3, selected: false },
  ])
})

test('values from the feed and from the address are offered too', () => {
  const options = listOptions(CHOICES, [{ value: 'ใหม่', count: 1 }], { values: ['หาย'], negated: false })
  expect(options.map(({ code, selected }) => [code, selected])).toEqual([
    ['a', false],
    ['b', false],
    ['ใหม่', false],
    ['หาย', true],
  ])
})

test('taking out the last value removes the filter', () => {
  expect(withValues({ values: ['a'], negated: true }, ['a'], false, true)).toBeUndefined()
})

test('values are added once and the sense of the filter is kept', () => {
  expect(withValues({ values: ['a'], negated: true }, ['a', 'b'], true, true)).toEqual({
    values: ['a', 'b'],
    negated: true,
  })
})
