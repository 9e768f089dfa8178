import { describe, expect, test } from 'vitest'
import type { StarterGroup } from '#contract/matching/keyword-requests.ts'
import { keywordForTests, organisationForTests } from '#src/matching/api/organisation-for-tests.ts'
import { createSetUpDraft, type SetUpDraft } from './set-up-draft.ts'
import {
  chosenWords,
  deselectWord,
  hasWatchCriteria,
  mergeStarterWords,
  remainingListLimits,
  requiredSearchModes,
  selectWord,
  setWordLesson,
  toNewWords,
  toPreviewRequest,
  wordProblem,
} from './set-up-words.ts'

const CAMERAS: StarterGroup = {
  business_type_id: 404,
  name: 'กล้องวงจรปิด',
  include: ['กล้องวงจรปิด', 'CCTV'],
  ai_include: ['ติดตั้งกล้อง'],
  exclude: ['ซ่อมกล้อง'],
}
const PRINTERS: StarterGroup = {
  business_type_id: 703,
  name: 'เครื่องพิมพ์',
  include: ['เครื่องพิมพ์', 'cctv'],
  ai_include: [],
  exclude: [],
}
const organisation = organisationForTests()
const withStarters = (
  starters: StarterGroup[],
  draft: SetUpDraft = createSetUpDraft([]),
  of = organisation,
): SetUpDraft => ({
  ...draft,
  groups: mergeStarterWords(draft, starters, of),
})

describe('suggested words', () => {
  test('are chosen once across all groups; semantic words are only offered', () => {
    const draft = withStarters([CAMERAS, PRINTERS])
    expect(chosenWords(draft, 'include')).toEqual(['กล้องวงจรปิด', 'CCTV', 'เครื่องพิมพ์'])
    expect(chosenWords(draft, 'ai')).toEqual([])
    expect(draft.groups.map(({ name }) => name)).toEqual(['กล้องวงจรปิด', 'เครื่องพิมพ์', ''])
  })

  test('are chosen only up to the package limit', () => {
    const small = organisationForTests({ include: [keywordForTests(1, 'โดรน')] }, { limit_include_by_name: 2 })
    const draft = withStarters([CAMERAS], createSetUpDraft([]), small)
    expect(chosenWords(draft, 'include')).toEqual(['กล้องวงจรปิด'])
    expect(remainingListLimits(draft, small).include).toBe(0)
    expect(wordProblem('ถนน', draft, small)).toBe('limit')
  })

  test('keep manual changes of a group when other subtypes change', () => {
    let draft = withStarters([CAMERAS])
    draft = selectWord(deselectWord(draft, 404, 'include', 'CCTV'), 404, 'include', 'กล้องอัจฉริยะ')
    draft = selectWord(draft, 0, 'include', 'โดรน')
    draft = withStarters([CAMERAS, PRINTERS], draft)
    expect(chosenWords(draft, 'include')).toEqual(['กล้องวงจรปิด', 'กล้องอัจฉริยะ', 'เครื่องพิมพ์', 'โดรน'])
    draft = withStarters([PRINTERS], draft)
    expect(chosenWords(draft, 'include')).toEqual(['เครื่องพิมพ์', 'โดรน'])
  })
})

describe('a word', () => {
  test('returns to the suggestions when removed; a custom word disappears', () => {
    const draft = selectWord(withStarters([CAMERAS]), 404, 'include', 'โดรน')
    const without = deselectWord(deselectWord(draft, 404, 'include', 'โดรน'), 404, 'include', 'cctv')
    expect(without.groups[0]!.include).toEqual([
      { word: 'กล้องวงจรปิด', on: true, own: false },
      { word: 'CCTV', on: false, own: false },
    ])
  })

  test('is refused when malformed, already chosen or stored', () => {
    const draft = withStarters([CAMERAS])
    const stored = organisationForTests({ include: [keywordForTests(1, 'โดรน')] })
    expect(wordProblem('(กล้อง', draft, organisation)).toBe('E_BRACKET')
    expect(wordProblem('กล้อง วงจรปิด', draft, organisation)).toBe('repeated')
    expect(wordProblem('โดรน', draft, stored)).toBe('duplicate')
    expect(wordProblem('สะพาน', draft, organisation)).toBeUndefined()
  })
})

test('watches something only with a word, a semantic word or a department', () => {
  const empty = createSetUpDraft([])
  expect(hasWatchCriteria(empty, organisation)).toBe(false)
  expect(hasWatchCriteria({ ...empty, excludes: ['ซ่อม'] }, organisation)).toBe(false)
  expect(hasWatchCriteria({ ...empty, departments: ['กรมทางหลวง'] }, organisation)).toBe(true)
  expect(hasWatchCriteria(selectWord(withStarters([CAMERAS]), 404, 'ai', 'ติดตั้งกล้อง'), organisation)).toBe(true)
})

test('stores, previews and enables exactly the choices, with words under their group name', () => {
  let draft = selectWord(withStarters([CAMERAS]), 404, 'ai', 'ติดตั้งกล้อง')
  draft = selectWord(draft, 0, 'include', 'โดรน')
  draft = { ...draft, excludes: ['ซ่อมกล้อง'], departments: ['กรมทางหลวง'] }
  const group = 'กล้องวงจรปิด'
  expect(toNewWords(draft)).toEqual([
    { list: 'include', entry: { word: 'กล้องวงจรปิด', group } },
    { list: 'include', entry: { word: 'CCTV', group } },
    { list: 'ai_include', entry: { word: 'ติดตั้งกล้อง', group } },
    { list: 'include', entry: { word: 'โดรน' } },
    { list: 'exclude', entry: { word: 'ซ่อมกล้อง' } },
    { list: 'deptsub_include', entry: { word: 'กรมทางหลวง' } },
  ])
  const switches = { search_by_name: true, search_by_ai: true, search_by_deptsub: true }
  expect(requiredSearchModes(draft)).toEqual(switches)
  expect(toPreviewRequest(draft)).toEqual({
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
  const taken = selectWord(withStarters([CAMERAS]), 404, 'ai', 'ติดตั้งกล้อง')
  const of = (draft: typeof taken) => toNewWords(draft).find(({ list }) => list === 'ai_include')?.entry
  expect(of(setWordLesson(taken, 404, 'ติดตั้งกล้อง', lesson))).toEqual({
    word: 'ติดตั้งกล้อง',
    group: 'กล้องวงจรปิด',
    lesson,
  })
  expect(of(setWordLesson(taken, 404, 'ติดตั้งกล้อง', { answers: [], turned: [] }))).not.toHaveProperty('lesson')
})
