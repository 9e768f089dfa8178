import { expect, test } from 'vitest'
import { buildListFilterOptions, toggleFilterValues } from './list-filter-options.ts'

const CHOICES = [
  { code: 'a', th: 'หนึ่ง' },
  { code: 'b', th: 'สอง' },
]

test('keeps known options in order, also with a count of 0', () => {
  expect(buildListFilterOptions(CHOICES, [{ value: 'b', count: 3 }], undefined)).toEqual([
    { code: 'a', th: 'หนึ่ง', count: 0, selected: false },
    { code: 'b', th: 'สอง', count: 3, selected: false },
  ])
})

test('offers values from the feed and from the address as well', () => {
  const options = buildListFilterOptions(CHOICES, [{ value: 'ใหม่', count: 1 }], { values: ['หาย'], negated: false })
  expect(options.map(({ code, selected }) => [code, selected])).toEqual([
    ['a', false],
    ['b', false],
    ['ใหม่', false],
    ['หาย', true],
  ])
})

test('taking out the last value removes the filter', () => {
  expect(toggleFilterValues({ values: ['a'], negated: true }, ['a'], false, true)).toBeUndefined()
})

test('adds values once and keeps the negation', () => {
  expect(toggleFilterValues({ values: ['a'], negated: true }, ['a', 'b'], true, true)).toEqual({
    values: ['a', 'b'],
    negated: true,
  })
})
