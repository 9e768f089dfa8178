import { expect, test } from 'vitest'
import { compileSearchChips, parseSearchChips, type SearchChip } from '#contract/search/search-chips.ts'
import { parseSearchExpression } from '#contract/search/search-grammar.ts'
import {
  addSearchExpression,
  addSearchWord,
  removeLastSearchWord,
  removeSearchWord,
  type SearchWordOperator,
} from './word-chips.ts'

const KEY = 'project_name__in'
const typed = (...words: [SearchWordOperator, string][]) =>
  words.reduce<SearchChip[]>((items, [joiner, word]) => addSearchWord(items, KEY, word, joiner), [])
const text = (items: SearchChip[]) => compileSearchChips(items)

test('builds the expression that the three buttons describe', () => {
  const items = typed(['and', 'กล้อง'], ['or', 'CCTV'], ['and', 'ติดตั้ง'], ['not', 'ซ่อม'], ['not', 'เช่า'])
  expect(text(items)).toBe('(กล้อง||CCTV)##ติดตั้ง<<ซ่อม||เช่า')
})

test('places a wanted word before an excluded one typed earlier', () => {
  expect(text(typed(['and', 'กล้อง'], ['not', 'ซ่อม'], ['and', 'ถนน']))).toBe('กล้อง##ถนน<<ซ่อม')
})

test('allows an excluded word alone', () => {
  expect(text(typed(['not', 'ซ่อม']))).toBe('<<ซ่อม')
})

test('adds no word twice and no blank word', () => {
  expect(typed(['and', 'กล้อง'], ['and', 'กล้อง '], ['or', 'กล้อง'], ['and', '  '])).toHaveLength(1)
})

test('removes words chip by chip', () => {
  const items = typed(['and', 'กล้อง'], ['or', 'CCTV'], ['not', 'ซ่อม'])
  expect(text(removeSearchWord(items, 0, 0))).toBe('CCTV<<ซ่อม')
  expect(text(removeLastSearchWord(items))).toBe('กล้อง||CCTV')
  expect(removeLastSearchWord(removeLastSearchWord(removeLastSearchWord(items)))).toEqual([])
})

test('never joins a word to an expression chip', () => {
  const advanced: SearchChip[] = [{ key: KEY, value: '"ก ข"||ค้า', negation: false, isIgnoreEncode: true }]
  expect(addSearchWord(advanced, KEY, 'ถนน', 'or')).toHaveLength(2)
})

test.each<[string, SearchWordOperator, string, string]>([
  ['', 'and', 'กล้อง||CCTV', 'กล้อง||CCTV'],
  ['', 'or', 'กล้อง##วงจรปิด', 'กล้อง##วงจรปิด'],
  ['', 'not', 'ซ่อม||เช่า', '<<ซ่อม||เช่า'],
  ['ถนน', 'and', 'กล้อง||CCTV', 'ถนน##(กล้อง||CCTV)'],
  ['ถนน', 'and', 'กล้อง<<ซ่อม', 'ถนน##กล้อง<<ซ่อม'],
  ['ถนน', 'and', '<<ซ่อม', 'ถนน<<ซ่อม'],
  ['ถนน', 'or', 'กล้อง##CCTV', 'ถนน||กล้อง##CCTV'],
  ['ถนน', 'not', 'กล้อง||CCTV', 'ถนน<<กล้อง||CCTV'],
  ['ถนน<<ซ่อม', 'or', 'กล้อง||CCTV', 'ถนน||กล้อง||CCTV<<ซ่อม'],
])('%s %s the expression %s is %s', (before, joiner, expression, after) => {
  const items = addSearchExpression(parseSearchChips(KEY, before), KEY, expression, joiner)
  expect(parseSearchExpression(text(items))).toMatchObject({ ok: true })
  expect(text(items)).toBe(after)
})
