import { expect, test } from 'vitest'
import type { Keyword } from '../account/organisation.ts'
import { countActiveKeywords, isActiveKeyword } from './active-keyword.ts'

const ALL_ON = { search_by_name: true, search_by_ai: true, search_by_deptsub: true }

const keyword = (id: number, approved = true): Keyword => ({
  id,
  word: `คำ ${id}`,
  group_id: null,
  approved,
  added_at: '2026-11-01T00:00:00.000Z',
  added_by: null,
})
const LISTS = {
  include: [keyword(1), keyword(2), keyword(3, false)],
  ai_include: [keyword(4)],
  deptsub_include: [keyword(5), keyword(6)],
  exclude: [keyword(7)],
  ai_exclude: [keyword(8)],
}

test('counts approved words and departments, and no exclusion', () => {
  expect(countActiveKeywords({ ...LISTS, customer_config: ALL_ON })).toEqual({ words: 3, departments: 2 })
})

test.each([
  [
    { ...ALL_ON, search_by_name: false },
    { words: 1, departments: 2 },
  ],
  [
    { ...ALL_ON, search_by_ai: false },
    { words: 2, departments: 2 },
  ],
  [
    { ...ALL_ON, search_by_deptsub: false },
    { words: 3, departments: 0 },
  ],
  [{}, { words: 0, departments: 0 }],
])('leaves out the lists that %j switches off', (config, counts) => {
  expect(countActiveKeywords({ ...LISTS, customer_config: config })).toEqual(counts)
})

test('applies exclusions at once, approved or not', () => {
  expect(isActiveKeyword({ config: {} }, { list: 'exclude', approved: false })).toBe(true)
  expect(isActiveKeyword({ config: ALL_ON }, { list: 'include', approved: false })).toBe(false)
})
