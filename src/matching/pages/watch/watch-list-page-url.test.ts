import { expect, test } from 'vitest'
import { applyWatchListPageUrlPatch, parseWatchListPageUrlState } from './watch-list-page-url.ts'

test('reads list, group, search and tab, and ignores unknown values', () => {
  expect(
    parseWatchListPageUrlState({ list: 'deptsub', group: '7', q: 'กล้อง', tab: 'why', project: '69119284417' }),
  ).toMatchObject({ list: 'deptsub_include', groupId: 7, q: 'กล้อง', tab: 'why', project: '69119284417' })
  expect(
    parseWatchListPageUrlState({ list: 'deptsub_include', group: '-1', tab: 'x', days: '9', page: '0' }),
  ).toMatchObject({
    list: undefined,
    groupId: undefined,
    tab: 'rules',
    ledger: { days: 30, page: 1 },
  })
})

test('keeps list, group and search across tabs, and drops parameters of the previous tab', () => {
  const rules = { list: 'ai_include', group: '7', q: 'ยา' }
  const hidden = applyWatchListPageUrlPatch(rules, { tab: 'hidden', ledger: { days: 7, word: 'ยาง', page: 3 } })
  expect(hidden).toEqual({ ...rules, tab: 'hidden', days: '7', word: 'ยาง', page: '3' })
  expect(applyWatchListPageUrlPatch(hidden, { tab: 'rules' })).toEqual(rules)
  expect(applyWatchListPageUrlPatch(hidden, { tab: 'why', project: '69119284417' })).toEqual({
    ...rules,
    tab: 'why',
    project: '69119284417',
  })
})

test('keeps a pending word in the address until the box takes it', () => {
  const opened = applyWatchListPageUrlPatch({ tab: 'why' }, { tab: 'rules', list: 'include', word: 'กล้อง' })
  expect(opened).toEqual({ list: 'include', word: 'กล้อง' })
  expect(parseWatchListPageUrlState(opened).word).toBe('กล้อง')
  expect(applyWatchListPageUrlPatch(opened, { word: undefined })).toEqual({ list: 'include' })
})

test('round-trips without changes', () => {
  for (const search of [
    {},
    { q: 'ก' },
    { tab: 'hidden', days: 'all', rescued: 'true' },
    { list: 'exclude', group: '2' },
  ])
    expect(applyWatchListPageUrlPatch(search, {})).toEqual(search)
})
