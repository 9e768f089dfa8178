import { describe, expect, test } from 'vitest'
import type { MatchReason } from '#contract/matching/match-reason.ts'
import { reportRow } from '../../../test/report-row.ts'
import { reasonTexts } from './match-reasons.tsx'
import { shortReason } from './short-reason.tsx'

const AI: MatchReason = {
  list: 'ai_include',
  word: 'กล้องวงจรปิด',
  group: null,
  terms: [{ term: 'ระบบ CCTV', source: 'learned', similarity: 0.95, approved: true, side: null }],
}
const SIDES: MatchReason = {
  list: 'ai_include',
  word: 'ปรับปรุงถนน',
  group: 'งานทาง',
  terms: [
    { term: 'ซ่อมสร้าง', source: 'dictionary', similarity: 0.5, approved: false, side: 'ปรับปรุง' },
    { term: 'ถนน', source: 'literal', similarity: 1, approved: false, side: 'ถนน' },
  ],
}
const DEPARTMENT: MatchReason = { list: 'deptsub_include', word: 'กองช่าง', group: null, terms: [] }

describe('the whole reason', () => {
  test.each<[string, MatchReason[], string]>([
    [
      'a term that was approved',
      [AI],
      'ตรงกับ ‘กล้องวงจรปิด’ เพราะชื่อโครงการมี ‘ระบบ CCTV’ (คำใกล้เคียง ความคล้าย 0.95, คุณอนุมัติแล้ว)',
    ],
    [
      'sides of a word, each with what stands for it',
      [SIDES],
      'ตรงกับ ‘ปรับปรุงถนน’ กลุ่ม งานทาง เพราะ ปรับปรุง ≈ ซ่อมสร้าง, ถนน',
    ],
    [
      'a word on a page of a document',
      [{ ...DEPARTMENT, list: 'include', word: 'หม้อแปลง', page: 3 }],
      'พบคำ ‘หม้อแปลง’ ในเอกสาร หน้า 3',
    ],
    ['a unit', [DEPARTMENT], 'หน่วยงานที่ติดตาม: กองช่าง'],
    [
      'a word of the list',
      [{ ...DEPARTMENT, list: 'include', word: 'กล้อง', group: 'งานกล้อง' }],
      'ชื่อโครงการมีคำ ‘กล้อง’ กลุ่ม งานกล้อง',
    ],
    ['meaning without a phrase in the name', [{ ...AI, terms: [] }], 'ตรงกับ ‘กล้องวงจรปิด’ ตามความหมาย'],
  ])('%s', (_, match_reasons, text) => {
    expect(reasonTexts(reportRow({ match_reasons }))).toEqual([text])
  })

  test('what a search by meaning found stands first, a rescue last', () => {
    const row = reportRow({
      match_reasons: [DEPARTMENT],
      rescued_from: 'ซ่อม',
      deep: { score: 0.62, phrases: ['cctv'] },
    })
    expect(reasonTexts(row)).toEqual([
      'ค้นตามความหมาย: ใกล้เคียง 62% เพราะชื่อโครงการมี ‘cctv’',
      'หน่วยงานที่ติดตาม: กองช่าง',
      'นำกลับจากคำไม่รวม ‘ซ่อม’',
    ])
  })

  test('a row from before reasons were kept tells its kind', () => {
    expect(reasonTexts(reportRow({ match_reasons: [], matched_by: ['ai'] }))).toEqual(['คำใกล้เคียง'])
  })
})

describe('the reason in a row', () => {
  test('a word that stands marked in the name needs none', () => {
    expect(shortReason(reportRow())).toBeUndefined()
    expect(shortReason(reportRow({ match_reasons: [AI, { ...DEPARTMENT, list: 'include' }] }))).toBeUndefined()
  })
  test('a similar term is told apart from a literal one in words, and from meaning alone', () => {
    expect(shortReason(reportRow({ match_reasons: [AI], matched_words: ['ระบบ CCTV'] }))).toBe('คล้าย ‘กล้องวงจรปิด’')
    expect(shortReason(reportRow({ match_reasons: [AI], matched_words: [] }))).toBe('ตามความหมาย ‘กล้องวงจรปิด’')
  })
  test('departments, rescues and searches by meaning say so', () => {
    expect(shortReason(reportRow({ match_reasons: [DEPARTMENT] }))).toBe('หน่วยงานที่ติดตาม')
    expect(shortReason(reportRow({ rescued_from: 'ซ่อม' }))).toBe('นำกลับจากคำไม่รวม ‘ซ่อม’')
    expect(shortReason(reportRow({ deep: { score: 0.9, phrases: ['cctv', 'กล้อง'] } }))).toBe(
      '90% เพราะ ‘cctv’ และ ‘กล้อง’',
    )
  })
})

test('a row that a document alone let in says the page in a few words, one with a word in its name nothing', () => {
  const found: MatchReason = { ...DEPARTMENT, list: 'include', word: 'หม้อแปลง', page: 3 }
  expect(shortReason(reportRow({ match_reasons: [found], matched_words: [] }))).toBe('พบในเอกสาร หน้า 3')
  expect(shortReason(reportRow({ match_reasons: [found, { ...found, page: null }] }))).toBeUndefined()
})
