import { expect, test } from 'vitest'
import { EMPTY_KEYWORD_SELECTION, type KeywordSelection, toggleKeywordSelection } from './keyword-chips.tsx'

const ORDER = [5, 3, 8, 1, 9]
const select = (...steps: readonly (readonly [id: number, isRange: boolean])[]) =>
  steps.reduce<KeywordSelection>(
    (now, [id, isRange]) => toggleKeywordSelection(now, ORDER, id, isRange),
    EMPTY_KEYWORD_SELECTION,
  )
const ids = (selection: KeywordSelection) => [...selection.ids]

test('selects and deselects a word', () => {
  expect(ids(select([3, false], [8, false], [3, false]))).toEqual([8])
})

test('extends a range from the last selected word, in display order, both ways', () => {
  expect(ids(select([3, false], [1, true])).sort()).toEqual([1, 3, 8])
  expect(ids(select([9, false], [3, true])).sort()).toEqual([1, 3, 8, 9])
})

test('selects only the word when the range has no start', () => {
  expect(ids(select([8, true]))).toEqual([8])
})
