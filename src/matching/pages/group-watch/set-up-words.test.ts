import { describe, expect, test } from 'vitest'
import type { StarterGroup } from '#contract/matching/keyword-requests.ts'
import { keywordForTests, organisationForTests } from '#src/matching/api/organisation-for-tests.ts'
import { newDraft, type SetUpDraft } from './set-up-draft.ts'
import {
  chosenWords,
  dropWord,
  mergeStarters,
  neededSwitches,
  newWords,
  previewOf,
  roomLeft,
  takeWord,
  teachWord,
  watchesSomething,
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
const withStarters = (starters: StarterGroup[], draft: SetUpDraft = newDraft([]), of = organisation): SetUpDraft => ({
  ...draft,
  groups: mergeStarters(draft, starters, of),
})

describe('suggested words', () => {
  test('are taken, those by meaning only offered, each once over all groups', () => {
    const draft = withStarters([CAMERAS, PRINTERS])
    expect(chosenWords(draft, 'include')).toEqual(['กล้องวงจรปิด', 'CCTV', 'เครื่องพิมพ์'])
    expect(chosenWords(draft, 'ai')).toEqual([])
    expect(draft.groups.map(({ name }) => name)).toEqual(['กล้องวงจรปิด', 'เครื่องพิมพ์', ''])
  })

  test('are taken only as far as the package has room', () => {
    const small = organisationForTests({ include: [keywordForTests(1, 'โดรน')] }, { limit_include_by_name: 2 })
    const draft = withStarters([CAMERAS], newDraft([]), small)
    expect(chosenWords(draft, 'include')).toEqual(['กล้องวงจรปิด'])
    expect(roomLeft(draft, small).include).toBe(0)
    expect(wordProblem('ถนน', draft, small)).toBe('limit')
  })

  test('what was changed in a group stays when other subtypes come and go', () => {
    let draft = withStarters([CAMERAS])
    draft = takeWord(dropWord(draft, 404, 'include', 'CCTV'), 404, 'include', 'กล้องอัจฉริยะ')
    draft = takeWord(draft, 0, 'include', 'โดรน')
    draft = withStarters([CAMERAS, PRINTERS], draft)
    expect(chosenWords(draft, 'include')).toEqual(['กล้องวงจรปิด', 'กล้องอัจฉริยะ', 'เครื่องพิมพ์', 'โดรน'])
    draft = withStarters([PRINTERS], draft)
    expect(chosenWords(draft, 'include')).toEqual(['เครื่องพิมพ์', 'โดรน'])
  })
})

describe('a word', () => {
  test('of the suggestions is offered again when it is taken out, one’s own is gone', () => {
    const draft = takeWord(withStarters([CAMERAS]), 404, 'include', 'โดรน')
    const without = dropWord(dropWord(draft, 404, 'include', 'โดรน'), 404, 'include', 'cctv')
    expect(without.groups[0]!.include).toEqual([
      { word: 'กล้องวงจรปิด', on: true, own: false },
      { word: 'CCTV', on: false, own: false },
    ])
  })

  test('is refused when it cannot be read, is chosen already, or is stored', () => {
    const draft = withStarters([CAMERAS])
    const stored = organisationForTests({ include: [keywordForTests(1, 'โดรน')] })
    expect(wordProblem('(กล้อง', draft, organisation)).toBe('E_BRACKET')
    expect(wordProblem('กล้อง วงจรปิด', draft, organisation)).toBe('repeated')
    expect(wordProblem('โดรน', draft, stored)).toBe('duplicate')
    expect(wordProblem('สะพาน', draft, organisation)).toBeUndefined()
  })
})

test('a set-up watches something with a word, a word by meaning or a department', () => {
  const empty = newDraft([])
  expect(watchesSomething(empty, organisation)).toBe(false)
  expect(watchesSomething({ ...empty, excludes: ['ซ่อม'] }, organisation)).toBe(false)
  expect(watchesSomething({ ...empty, departments: ['กรมทางหลวง'] }, organisation)).toBe(true)
  expect(watchesSomething(takeWord(withStarters([CAMERAS]), 404, 'ai', 'ติดตั้งกล้อง'), organisation)).toBe(true)
})

test('what is stored, previewed and switched on is what was chosen, words under the name of their group', () => {
  let draft = takeWord(withStarters([CAMERAS]), 404, 'ai', 'ติดตั้งกล้อง')
  draft = takeWord(draft, 0, 'include', 'โดรน')
  draft = { ...draft, excludes: ['ซ่อมกล้อง'], departments: ['กรมทางหลวง'] }
  const group = 'กล้องวงจรปิด'
  expect(newWords(draft)).toEqual([
    { list: 'include', entry: { word: 'กล้องวงจรปิด', group } },
    { list: 'include', entry: { word: 'CCTV', group } },
    { list: 'ai_include', entry: { word: 'ติดตั้งกล้อง', group } },
    { list: 'include', entry: { word: 'โดรน' } },
    { list: 'exclude', entry: { word: 'ซ่อมกล้อง' } },
    { list: 'deptsub_include', entry: { word: 'กรมทางหลวง' } },
  ])
  const switches = { search_by_name: true, search_by_ai: true, search_by_deptsub: true }
  expect(neededSwitches(draft)).toEqual(switches)
  expect(previewOf(draft)).toEqual({
    add: {
      include: ['กล้องวงจรปิด', 'CCTV', 'โดรน'],
      exclude: ['ซ่อมกล้อง'],
      ai_include: [{ word: 'ติดตั้งกล้อง' }],
      deptsub_include: ['กรมทางหลวง'],
    },
    switches,
  })
})

test('what was taught of a word by meaning is kept with it and stored with it', () => {
  const lesson = { answers: [{ project_id: '1', is_wanted: false }], turned: [{ term: 'cctv', facet: 0, acts: false }] }
  const taken = takeWord(withStarters([CAMERAS]), 404, 'ai', 'ติดตั้งกล้อง')
  const of = (draft: typeof taken) => newWords(draft).find(({ list }) => list === 'ai_include')?.entry
  expect(of(teachWord(taken, 404, 'ติดตั้งกล้อง', lesson))).toEqual({
    word: 'ติดตั้งกล้อง',
    group: 'กล้องวงจรปิด',
    lesson,
  })
  // A lesson whose answers were all withdrawn is dropped.
  expect(of(teachWord(taken, 404, 'ติดตั้งกล้อง', { answers: [], turned: [] }))).not.toHaveProperty('lesson')
})
