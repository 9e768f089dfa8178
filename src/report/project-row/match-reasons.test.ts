import { describe, expect, test } from 'vitest'
import type { MatchReason } from '#contract/matching/match-reason.ts'
import { reportRow } from '../../../test/report-row.ts'
import { listMatchReasonTexts } from './match-reasons.tsx'
import { getShortMatchReason } from './short-match-reason.tsx'

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

describe('listMatchReasonTexts', () => {
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
    expect(listMatchReasonTexts(reportRow({ match_reasons }))).toEqual([text])
  })

  test('lists a semantic search first and a rescue last', () => {
    const row = reportRow({
      match_reasons: [DEPARTMENT],
      rescued_from: 'ซ่อม',
      deep: { score: 0.62, phrases: ['cctv'] },
    })
    expect(listMatchReasonTexts(row)).toEqual([
      'ค้นตามความหมาย: ใกล้เคียง 62% เพราะชื่อโครงการมี ‘cctv’',
      'หน่วยงานที่ติดตาม: กองช่าง',
      'นำกลับจากคำไม่รวม ‘ซ่อม’',
    ])
  })

  test('shows the match kind of a row stored without reasons', () => {
    expect(listMatchReasonTexts(reportRow({ match_reasons: [], matched_by: ['ai'] }))).toEqual(['คำใกล้เคียง'])
  })
})

describe('getShortMatchReason', () => {
  test('omits a word that is already marked in the name', () => {
    expect(getShortMatchReason(reportRow())).toBeUndefined()
    expect(getShortMatchReason(reportRow({ match_reasons: [AI, { ...DEPARTMENT, list: 'include' }] }))).toBeUndefined()
  })
  test('distinguishes a similar term from a literal one, and from meaning alone', () => {
    expect(getShortMatchReason(reportRow({ match_reasons: [AI], matched_words: ['ระบบ CCTV'] }))).toBe(
      'คล้าย ‘กล้องวงจรปิด’',
    )
    expect(getShortMatchReason(reportRow({ match_reasons: [AI], matched_words: [] }))).toBe('ตามความหมาย ‘กล้องวงจรปิด’')
  })
  test('names departments, rescues and semantic searches', () => {
    expect(getShortMatchReason(reportRow({ match_reasons: [DEPARTMENT] }))).toBe('หน่วยงานที่ติดตาม')
    expect(getShortMatchReason(reportRow({ rescued_from: 'ซ่อม' }))).toBe('นำกลับจากคำไม่รวม ‘ซ่อม’')
    expect(getShortMatchReason(reportRow({ deep: { score: 0.9, phrases: ['cctv', 'กล้อง'] } }))).toBe(
      '90% เพราะ ‘cctv’ และ ‘กล้อง’',
    )
  })
})

test('names the page for a document-only match, and nothing for a word in the name', () => {
  const documentMatch: MatchReason = { ...DEPARTMENT, list: 'include', word: 'หม้อแปลง', page: 3 }
  expect(getShortMatchReason(reportRow({ match_reasons: [documentMatch], matched_words: [] }))).toBe('พบในเอกสาร หน้า 3')
  expect(
    getShortMatchReason(reportRow({ match_reasons: [documentMatch, { ...documentMatch, page: null }] })),
  ).toBeUndefined()
})
