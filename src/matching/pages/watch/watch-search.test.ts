import { expect, test } from 'vitest'
import { pickSearch } from '#src/lib/typed-search.ts'
import { KEYWORD_LIST_APPEARANCES } from '#src/matching/keywords/keyword-list-appearances.ts'
import {
  applyWatchSearchPatch,
  formatWatchSearch,
  getExcludedProjectsUrlState,
  parseWatchSearch,
  toWatchSearchPatch,
  type WatchSearch,
} from './watch-search.ts'

const apply = (flat: Record<string, string>, patch: Parameters<typeof applyWatchSearchPatch>[1]) =>
  formatWatchSearch(pickSearch<WatchSearch>(applyWatchSearchPatch(parseWatchSearch(flat).search, patch)))

test('reads list, group, search and tab, and reports invalid values', () => {
  const flat = { list: 'deptsub', group: '7', q: 'กล้อง', tab: 'why', project: '69119284417' }
  expect(parseWatchSearch(flat)).toEqual({ search: { ...flat, group: 7 }, ignored: [] })
  const { search, ignored } = parseWatchSearch({ list: 'deptsub_include', group: '-1', tab: 'x', days: '9', page: '0' })
  expect(search).toEqual({})
  expect(ignored.map(({ name, reason }) => `${name} ${reason}`)).toEqual([
    'list invalid',
    'group invalid',
    'tab invalid',
    'days invalid',
    'page invalid',
  ])
  expect(getExcludedProjectsUrlState(search)).toEqual({ days: 30, page: 1 })
})

test('opens every list', () => {
  for (const { code } of KEYWORD_LIST_APPEARANCES)
    expect(parseWatchSearch({ list: code })).toEqual({ search: { list: code }, ignored: [] })
})

test('keeps list, group and search across tabs, and drops parameters of the previous tab', () => {
  const rules = { list: 'ai_include', group: '7', q: 'ยา' }
  const hidden = apply(rules, { tab: 'hidden', ...toWatchSearchPatch({ days: 7, word: 'ยาง', page: 3 }) })
  expect(hidden).toEqual({ ...rules, tab: 'hidden', days: '7', word: 'ยาง', page: '3' })
  expect(apply(hidden, { tab: 'rules' })).toEqual(rules)
  expect(apply(hidden, { tab: 'why', project: '69119284417' })).toEqual({
    ...rules,
    tab: 'why',
    project: '69119284417',
  })
})

test('keeps a pending word in the address until the box takes it', () => {
  const opened = apply({ tab: 'why' }, { tab: 'rules', list: 'include', word: 'กล้อง' })
  expect(opened).toEqual({ list: 'include', word: 'กล้อง' })
  expect(apply(opened, { word: undefined })).toEqual({ list: 'include' })
})

test('round-trips without changes', () => {
  for (const flat of [{}, { q: 'ก' }, { tab: 'hidden', days: 'all', rescued: 'true' }, { list: 'exclude', group: '2' }])
    expect(apply(flat, {})).toEqual(flat)
})
