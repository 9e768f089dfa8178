import { expect, test } from 'vitest'
import { setListValues } from './set-list-values.ts'

test('adds missing values behind the others and leaves the others in place', () => {
  expect(setListValues(['b', 'a'], ['a', 'c'], true)).toEqual(['b', 'a', 'c'])
  expect(setListValues(undefined, ['a'], true)).toEqual(['a'])
})

test('removes values, and is undefined when none remain', () => {
  expect(setListValues(['b', 'a', 'c'], ['a', 'x'], false)).toEqual(['b', 'c'])
  expect(setListValues(['a'], ['a'], false)).toBeUndefined()
  expect(setListValues(undefined, ['a'], false)).toBeUndefined()
})
