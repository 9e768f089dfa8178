import { expect, test } from 'vitest'
import { normaliseThai, removeSpacesNextToThai } from '#contract/thai/thai-text.ts'
import { RecentProject } from '#server/matching/recent-projects.ts'
import { TimeSlicer } from '#server/matching/time-slicer.ts'
import {
  createRelatedMeaningPredicate,
  findAccidentalKeywordMatches,
  getTermsProneToAccidentalMatches,
} from './find-accidental-keyword-matches.ts'
import { findLongerWords } from './longer-words.ts'

const department = { id: 1, name: 'เทศบาล', sub_name: '', province: 10 }
const projectsNamed = (names: readonly string[]) =>
  names.map(
    (name, at) =>
      new RecentProject(
        {
          project_id: String(at),
          project_province: 10,
          budget_satang: null,
          movement_on: '2026-11-20',
          first_load: 1,
        },
        normaliseThai(name),
        department,
      ),
  )

test.each([
  ['ยา', 'ซื้อยางรถยนต์', ['ยาง']],
  ['ยา', 'ซื้อยาและเวชภัณฑ์ ยาว 10 เมตร', ['ยาว']],
  ['ยา', 'ซื้อยาและเวชภัณฑ์', []],
  ['ยา', 'ครุภัณฑ์โรงพยาบาล พะเยา', ['พยาบาล', 'พะเยา']],
  ['ไฟ', 'ก่อสร้างทางรถไฟ', ['รถไฟ']],
  ['รถ', 'ปรับปรุงผิวจราจรถนนภายในหมู่บ้าน', ['ปรับปรุงผิวจราจรถนน']],
  ['รถ', 'ปรับปรุงผิวจราจร ถนนภายในหมู่บ้าน', ['ปรับปรุงผิวจราจรถนน']],
  // Traps are whole words only: no fragment of ก่อสร้าง, of ท้องถิ่น, or of a name that no dictionary contains.
  ['คอม', 'ก่อสร้างคอมมูนิตี้มอลล์', []],
  ['นม', 'ปรับปรุงถนนทางหลวงท้องถิ่น มค.ถ. 1-0001', []],
  ['ลม', 'ก่อสร้างถนน ตำบลมะขามคู่', []],
  ['ซื้อยา', 'ประกวดราคาซื้อยานพาหนะ', ['ซื้อยานพาหนะ']],
  // A longer word for a kind of what the keyword names is not a trap, however the dictionary segments it.
  ['ใยแก้วนำแสง', 'ซื้อระบบเครือข่ายภายในอาคารพร้อมสายใยแก้วนำแสง จำนวน 1 ระบบ', []],
  ['ใยแก้วนำแสง', 'จ้างเหมาย้ายสายเคเบิลใยแก้วนำแสง', []],
  ['กล้อง', 'ซื้อกล้อง วงจรปิด', []],
  ['ทาง', 'ปรับปรุงทาง133', []],
  ['ไม่มี', 'ซื้อกล้อง', []],
])('%s occurs by accident in %j: %j', (term, name, words) => {
  expect(findLongerWords(term, normaliseThai(name))).toEqual(words)
})

test('longer words are in the compact form that exclusions match', () => {
  for (const name of ['ถนน ลาดยาง แอสฟัลท์', 'จราจร ถนน', 'พระนครศรี อยุธยา']) {
    const spaced = normaliseThai(name)
    for (const term of ['ยา', 'รถ']) {
      for (const word of findLongerWords(term, spaced)) expect(removeSpacesNextToThai(spaced)).toContain(word)
    }
  }
})

test.each([
  ['ยา', ['ยา']],
  ['กล้อง##ติดตั้ง<<ซ่อม', ['กล้อง', 'ติดตั้ง']],
  ['(กล้อง||CCTV)', ['กล้อง']],
  ['"กล้อง วงจรปิด"', ['กล้องวงจรปิด']],
  ['IT', []],
  ['<<เช่า', []],
  ['((', []],
])('terms of %s that can be trapped', (expression, terms) => {
  expect(getTermsProneToAccidentalMatches(expression)).toEqual(terms)
})

/**
 * Longer words from 53,736 real titles, judged manually: first the traps of each word, then words that are not traps.
 */
test.each([
  ['ยา', ['ยาว', 'ยาง', 'ยาน', 'พยาบาล', 'ขยาย', 'กันยายน', 'พระนครศรีอยุธยา', 'วิทยาศาสตร์', 'ยาเสพติด'], []],
  ['ไฟ', ['รถไฟ', 'มะไฟ'], ['ไฟฟ้า']],
  ['รถ', ['รถไฟ', 'สามารถ', 'จราจรถนน'], ['รถยนต์']],
  ['น้ำ', ['แม่น้ำ', 'ห้องน้ำ', 'น้ำมัน', 'น้ำหนัก', 'น้ำตาล'], ['น้ำประปา', 'น้ำดิบ', 'บ่อน้ำ']],
  ['คอม', ['สร้างคอม'], ['คอมพิวเตอร์']],
  ['ไม้', ['ต้นไม้', 'ดอกไม้', 'ผลไม้', 'ไม้แดง'], ['ไม้ไผ่', 'ไม้อัด']],
  ['กล้อง', [], ['กล้องวงจรปิด', 'กล้องจุลทรรศน์']],
  ['ทาง', ['แนวทาง', 'ทิศทาง'], ['ทางหลวง']],
])('%s: %j are traps, %j are not', (word, traps, same) => {
  const isSame = createRelatedMeaningPredicate(word)
  expect(traps.filter(isSame)).toEqual([])
  expect(same.filter((longer) => !isSame(longer))).toEqual([])
})

test('offers frequent traps with all their projects, and none that another offer covers', async () => {
  const names = [
    ...Array.from({ length: 30 }, (_, at) => `ซื้อยางรถยนต์ คันที่ ${at + 1}`),
    ...Array.from({ length: 20 }, (_, at) => `ถนนลาดยางสายที่ ${at + 1}`),
    ...Array.from({ length: 10 }, () => 'ครุภัณฑ์โรงพยาบาล'),
    ...Array.from({ length: 40 }, () => 'ซื้อยาและเวชภัณฑ์'),
    // The trap พะเยา is in only one of 101 titles, too few to be offered.
    'ก่อสร้างอาคารพะเยา',
  ]
  const projects = projectsNamed(names)
  const all = [...projects.keys()]
  const traps = await findAccidentalKeywordMatches(projects, 'ยา', {
    matches: all,
    added: all,
    timeSlice: new TimeSlicer(),
  })
  expect(traps.map(({ word, indexes }) => [word, indexes.length])).toEqual([
    ['ยาง', 50],
    ['พยาบาล', 10],
  ])
})

test('offers no variant of the searched thing: สายใยแก้วนำแสง for ใยแก้วนำแสง', async () => {
  const names = [
    ...Array.from({ length: 30 }, (_, at) => `ซื้อระบบเครือข่ายภายในอาคารพร้อมสายใยแก้วนำแสง จำนวน ${at + 1} ระบบ`),
    ...Array.from({ length: 30 }, (_, at) => `จ้างติดตั้งเคเบิลใยแก้วนำแสง ระยะที่ ${at + 1}`),
  ]
  const projects = projectsNamed(names)
  const all = [...projects.keys()]
  for (const word of ['ใยแก้วนำแสง', 'ใยแก้ว'])
    expect(
      await findAccidentalKeywordMatches(projects, word, { matches: all, added: all, timeSlice: new TimeSlicer() }),
    ).toEqual([])
})
