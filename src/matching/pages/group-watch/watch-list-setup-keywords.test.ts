import { describe, expect, test } from 'vitest'
import type { StarterKeywordGroup } from '#contract/matching/keyword-requests.ts'
import { buildTestKeyword, buildTestOrganisation } from '#src/matching/api/organisation-for-tests.ts'
import { createWatchListSetupDraft, type WatchListSetupDraft } from './watch-list-setup-draft.ts'
import {
  computeRemainingListLimits,
  deselectSetupKeyword,
  findSetupKeywordProblem,
  getRequiredSearchModes,
  hasWatchCriteria,
  listChosenSetupKeywords,
  mergeSuggestedSetupKeywords,
  selectSetupKeyword,
  setSetupKeywordTraining,
  toNewListedKeywords,
  toSetupPreviewRequest,
} from './watch-list-setup-keywords.ts'

const CAMERAS: StarterKeywordGroup = {
  business_type_id: 404,
  name: 'กล้องวงจรปิด',
  include: ['กล้องวงจรปิด', 'CCTV'],
  ai_include: ['ติดตั้งกล้อง'],
  exclude: ['ซ่อมกล้อง'],
}
const PRINTERS: StarterKeywordGroup = {
  business_type_id: 703,
  name: 'เครื่องพิมพ์',
  include: ['เครื่องพิมพ์', 'cctv'],
  ai_include: [],
  exclude: [],
}
const organisation = buildTestOrganisation()
const withStarters = (
  starters: StarterKeywordGroup[],
  draft: WatchListSetupDraft = createWatchListSetupDraft([]),
  of = organisation,
): WatchListSetupDraft => ({
  ...draft,
  groups: mergeSuggestedSetupKeywords(draft, starters, of),
})

describe('suggested words', () => {
  test('are chosen once across all groups; semantic words are only offered', () => {
    const draft = withStarters([CAMERAS, PRINTERS])
    expect(listChosenSetupKeywords(draft, 'include')).toEqual(['กล้องวงจรปิด', 'CCTV', 'เครื่องพิมพ์'])
    expect(listChosenSetupKeywords(draft, 'ai')).toEqual([])
    expect(draft.groups.map(({ name }) => name)).toEqual(['กล้องวงจรปิด', 'เครื่องพิมพ์', ''])
  })

  test('are chosen only up to the package limit', () => {
    const small = buildTestOrganisation({ include: [buildTestKeyword(1, 'โดรน')] }, { limit_include_by_name: 2 })
    const draft = withStarters([CAMERAS], createWatchListSetupDraft([]), small)
    expect(listChosenSetupKeywords(draft, 'include')).toEqual(['กล้องวงจรปิด'])
    expect(computeRemainingListLimits(draft, small).include).toBe(0)
    expect(findSetupKeywordProblem('ถนน', draft, small)).toBe('limit')
  })

  test('keep manual changes of a group when other subtypes change', () => {
    let draft = withStarters([CAMERAS])
    draft = selectSetupKeyword(deselectSetupKeyword(draft, 404, 'include', 'CCTV'), 404, 'include', 'กล้องอัจฉริยะ')
    draft = selectSetupKeyword(draft, 0, 'include', 'โดรน')
    draft = withStarters([CAMERAS, PRINTERS], draft)
    expect(listChosenSetupKeywords(draft, 'include')).toEqual(['กล้องวงจรปิด', 'กล้องอัจฉริยะ', 'เครื่องพิมพ์', 'โดรน'])
    draft = withStarters([PRINTERS], draft)
    expect(listChosenSetupKeywords(draft, 'include')).toEqual(['เครื่องพิมพ์', 'โดรน'])
  })
})

describe('a word', () => {
  test('returns to the suggestions when removed; a custom word disappears', () => {
    const draft = selectSetupKeyword(withStarters([CAMERAS]), 404, 'include', 'โดรน')
    const without = deselectSetupKeyword(deselectSetupKeyword(draft, 404, 'include', 'โดรน'), 404, 'include', 'cctv')
    expect(without.groups[0]!.include).toEqual([
      { word: 'กล้องวงจรปิด', on: true, own: false },
      { word: 'CCTV', on: false, own: false },
    ])
  })

  test('is refused when malformed, already chosen or stored', () => {
    const draft = withStarters([CAMERAS])
    const stored = buildTestOrganisation({ include: [buildTestKeyword(1, 'โดรน')] })
    expect(findSetupKeywordProblem('(กล้อง', draft, organisation)).toBe('E_BRACKET')
    expect(findSetupKeywordProblem('กล้อง วงจรปิด', draft, organisation)).toBe('repeated')
    expect(findSetupKeywordProblem('โดรน', draft, stored)).toBe('duplicate')
    expect(findSetupKeywordProblem('สะพาน', draft, organisation)).toBeUndefined()
  })
})

test('watches something only with a word, a semantic word or a department', () => {
  const empty = createWatchListSetupDraft([])
  expect(hasWatchCriteria(empty, organisation)).toBe(false)
  expect(hasWatchCriteria({ ...empty, excludes: ['ซ่อม'] }, organisation)).toBe(false)
  expect(hasWatchCriteria({ ...empty, departments: ['กรมทางหลวง'] }, organisation)).toBe(true)
  expect(hasWatchCriteria(selectSetupKeyword(withStarters([CAMERAS]), 404, 'ai', 'ติดตั้งกล้อง'), organisation)).toBe(true)
})

test('stores, previews and enables exactly the choices, with words under their group name', () => {
  let draft = selectSetupKeyword(withStarters([CAMERAS]), 404, 'ai', 'ติดตั้งกล้อง')
  draft = selectSetupKeyword(draft, 0, 'include', 'โดรน')
  draft = { ...draft, excludes: ['ซ่อมกล้อง'], departments: ['กรมทางหลวง'] }
  const group = 'กล้องวงจรปิด'
  expect(toNewListedKeywords(draft)).toEqual([
    { list: 'include', entry: { word: 'กล้องวงจรปิด', group } },
    { list: 'include', entry: { word: 'CCTV', group } },
    { list: 'ai_include', entry: { word: 'ติดตั้งกล้อง', group } },
    { list: 'include', entry: { word: 'โดรน' } },
    { list: 'exclude', entry: { word: 'ซ่อมกล้อง' } },
    { list: 'deptsub_include', entry: { word: 'กรมทางหลวง' } },
  ])
  const switches = { search_by_name: true, search_by_ai: true, search_by_deptsub: true }
  expect(getRequiredSearchModes(draft)).toEqual(switches)
  expect(toSetupPreviewRequest(draft)).toEqual({
    add: {
      include: ['กล้องวงจรปิด', 'CCTV', 'โดรน'],
      exclude: ['ซ่อมกล้อง'],
      ai_include: [{ word: 'ติดตั้งกล้อง' }],
      deptsub_include: ['กรมทางหลวง'],
    },
    switches,
  })
})

test('keeps the lesson of a semantic word and stores it with the word', () => {
  const lesson = { answers: [{ project_id: '1', is_wanted: false }], turned: [{ term: 'cctv', facet: 0, acts: false }] }
  const taken = selectSetupKeyword(withStarters([CAMERAS]), 404, 'ai', 'ติดตั้งกล้อง')
  const of = (draft: typeof taken) => toNewListedKeywords(draft).find(({ list }) => list === 'ai_include')?.entry
  expect(of(setSetupKeywordTraining(taken, 404, 'ติดตั้งกล้อง', lesson))).toEqual({
    word: 'ติดตั้งกล้อง',
    group: 'กล้องวงจรปิด',
    lesson,
  })
  expect(of(setSetupKeywordTraining(taken, 404, 'ติดตั้งกล้อง', { answers: [], turned: [] }))).not.toHaveProperty('lesson')
})
