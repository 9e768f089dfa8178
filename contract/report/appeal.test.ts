import { describe, expect, test } from 'vitest'
import { reportRow } from '../../test/report-row.ts'
import {
  OPEN_PROCUREMENT_METHODS,
  PROCUREMENT_METHODS,
  SELECTIVE_PROCUREMENT_METHODS,
  SPECIFIC_PROCUREMENT_METHODS,
} from '../catalogue/project.ts'
import { getAppealNote, getDraftCommentNote, isAppealable } from './appeal.ts'
import { getProjectDeadlines } from './deadlines.ts'

const appealDay = (change: Parameters<typeof reportRow>[0]) =>
  getProjectDeadlines({
    ...reportRow({ winner_announce_date: '2026-11-18', ...change }),
    decision: 'bid',
  }).find(({ kind }) => kind === 'appeal')?.day

describe('appeals', () => {
  test.each(PROCUREMENT_METHODS.map(({ code }) => [code, !code.endsWith('specific')] as const))(
    'method %s allows one: %s',
    (method, isPossible) => {
      expect(appealDay({ method }) !== undefined).toBe(isPossible)
    },
  )

  test.each([
    ['จ้างก่อสร้างโดยวิธีคัดเลือก ตามมาตรา 56 (1) (ค)', null, false],
    ['จ้างก่อสร้าง มาตรา ๕๖ วรรคหนึ่ง (๑)(ค)', null, false],
    ['จ้างก่อสร้าง', 'กรณีเร่งด่วน ม.๕๖(๑)(ค)', false],
    ['จ้างก่อสร้าง ตามมาตรา 56 (1) (ก)', null, true],
    ['จ้างก่อสร้าง กม. 56', null, true],
  ])('the selection "%s" (%s) allows one: %s', (name, remark, isPossible) => {
    expect(isAppealable(reportRow({ method: 'selective', name, remark }))).toBe(isPossible)
  })

  test('are ruled out up to 100,000 baht; an unknown budget does not count as small', () => {
    expect([100_000, 100_000.01, null].map((budget) => appealDay({ budget }))).toEqual([
      undefined,
      '2026-11-27',
      '2026-11-27',
    ])
  })

  test('name who may appeal and the effect, and the exception for a selection', () => {
    expect(getAppealNote({ method: 'e_bidding' })).toContain('เฉพาะผู้ที่ยื่นข้อเสนอ')
    expect(getAppealNote({ method: 'e_bidding' })).toMatch(/\(ม\. 66\)$/)
    expect(getAppealNote({ method: 'selective' })).toContain('ข้อ 3 (4)')
  })
})

test.each([
  ['e_bidding', '2026-11-25', true],
  ['e_bidding', '2025-04-19', true],
  // This day is before the regulation of B.E. 2568 came into force.
  ['e_bidding', '2025-04-18', false],
  ['e_bidding', null, false],
  ['specific', '2026-11-25', false],
])('a hearing of a draft (%s, %s) warns of the lost appeal: %s', (method, day, isWarned) => {
  expect(getDraftCommentNote(method, day) !== undefined).toBe(isWarned)
})

test('the warning names the last day, the loss and the clause', () => {
  expect(getDraftCommentNote('e_bidding', '2026-11-25')).toBe(
    'วิจารณ์ภายใน 25 พ.ย. 2569 มิฉะนั้นอุทธรณ์เรื่องขอบเขตงานไม่ได้ (กฎกระทรวงกำหนดเรื่องที่อุทธรณ์ไม่ได้ พ.ศ. 2568 ข้อ 3 (2))',
  )
})

test('the procurement methods of the Act form a single list', () => {
  const listed = [OPEN_PROCUREMENT_METHODS, SELECTIVE_PROCUREMENT_METHODS, SPECIFIC_PROCUREMENT_METHODS]
  expect(listed.flat().toSorted()).toEqual(PROCUREMENT_METHODS.map(({ code }) => code).toSorted())
  // S. 79: announcement, selection, specific and contest; cl. 155 publishes the contest to everybody.
  const designMethods = listed.map((methods) => methods.filter((method) => method.startsWith('design')))
  expect(designMethods).toEqual([['design_open', 'design_contest'], ['design_selective'], ['design_specific']])
})

test('a comment replaces the warning, and a late one is doubted', () => {
  expect(getDraftCommentNote('e_bidding', '2026-11-25', '2026-11-25')).toBe(
    'วิจารณ์แล้วเมื่อ 25 พ.ย. 2569 ยังมีสิทธิอุทธรณ์เรื่องขอบเขตงาน (กฎกระทรวงกำหนดเรื่องที่อุทธรณ์ไม่ได้ พ.ศ. 2568 ข้อ 3 (2))',
  )
  expect(getDraftCommentNote('e_bidding', '2026-11-25', '2026-11-26')).toMatch(
    /^วิจารณ์แล้วเมื่อ 26 พ\.ย\. 2569 หลังวันสุดท้าย 25 พ\.ย\. 2569 อาจ/,
  )
  expect(getDraftCommentNote('e_bidding', null, '2026-11-25')).toBeUndefined()
})
