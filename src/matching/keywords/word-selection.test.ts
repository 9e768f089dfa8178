import { expect, test } from 'vitest'
import { NOTHING_SELECTED, toggleWord, type WordSelection } from './word-selection.ts'

const ORDER = [5, 3, 8, 1, 9]
const select = (...steps: readonly (readonly [id: number, isRange: boolean])[]) =>
  steps.reduce<WordSelection>((now, [id, isRange]) => toggleWord(now, ORDER, id, isRange), NOTHING_SELECTED)
const ids = (selection: WordSelection) => [...selection.ids]

test('a word is chosen and let go', () => {
  expect(ids(select([3, false], [8, false], [3, false]))).toEqual([8])
})

test('a range goes from the word chosen last, in the order shown, either way', () => {
  expect(ids(select([3, false], [1, true])).sort()).toEqual([1, 3, 8])
  expect(ids(select([9, false], [3, true])).sort()).toEqual([1, 3, 8, 9])
})

test('a range without a beginning is the word alone', () => {
  expect(ids(select([8, true]))).toEqual([8])
})
