import { expect, test } from 'vitest'
import { notificationText } from '#contract/report/notification-text.ts'
import { notificationForTests } from './notification-for-tests.ts'
import { changeLine } from './notification-item.tsx'

const TODAY = '2026-11-21'
const said = (type: string, due_date: string | null = null, outdated = false) =>
  notificationText({ type, due_date, outdated }, TODAY)

test.each([
  ['Updated', null, 'ข้อมูลโครงการมีการอัปเดต', 'plain'],
  ['Export_ready', null, 'ไฟล์ที่ส่งออกพร้อมดาวน์โหลด', 'plain'],
  ['Discussion_date_end', '2026-11-28', 'วิจารณ์ร่าง เหลือ 7 วัน', 'soon'],
  ['Submission_date_end', '2026-11-28', 'ยื่นข้อเสนอ เหลือ 7 วัน', 'soon'],
  ['Discussion_date_end', '2026-11-25', 'วิจารณ์ร่าง เหลือ 4 วัน', 'soon'],
  ['Submission_date_end', '2026-11-23', 'ยื่นข้อเสนอ เหลือ 2 วัน', 'urgent'],
  ['Discussion_date_end', '2026-11-22', 'วิจารณ์ร่าง เหลือ 1 วัน', 'urgent'],
  ['Submission_date_end', '2026-11-22', 'ยื่นข้อเสนอ เหลือ 1 วัน', 'urgent'],
  ['Discussion_date_end', '2026-11-21', 'วิจารณ์ร่าง วันนี้วันสุดท้าย', 'urgent'],
  ['Submission_date_end', '2026-11-21', 'ยื่นข้อเสนอ วันนี้วันสุดท้าย', 'urgent'],
  ['Discussion_date_end', '2026-11-20', 'วิจารณ์ร่าง หมดเขตแล้ว', 'past'],
  ['Submission_date_end', '2026-11-01', 'ยื่นข้อเสนอ หมดเขตแล้ว', 'past'],
  ['Discussion_date_end', null, 'วิจารณ์ร่าง ใกล้ปิด', 'soon'],
  ['Submission_date_end', null, 'ยื่นข้อเสนอ ใกล้ปิด', 'soon'],
])('%s of %s says on the 21st: %s', (type, due, text, tone) => {
  expect(said(type, due)).toEqual({ text, tone, struck: false })
})

test('a warning of a date that has changed is struck through and counts no days', () => {
  expect(said('Submission_date_end', '2026-11-28', true)).toEqual({
    text: 'ยื่นข้อเสนอถึง 28 พ.ย. 2569',
    tone: 'past',
    struck: true,
  })
  expect(said('Discussion_date_end', '2026-11-28', true)?.text).toBe('วิจารณ์ร่างถึง 28 พ.ย. 2569')
})

test('a type of a later version says nothing, also one that every object has by name', () => {
  expect(said('Contract_signed')).toBeUndefined()
  expect(said('toString')).toBeUndefined()
})

test('of several changes the submission date comes first, then other dates, then money', () => {
  const change = (field: string, old: string | null, now: string) => ({
    field,
    old,
    new: now,
    seen_at: '2026-11-21T02:00:00Z',
  })
  const remark = change('remark', null, 'แก้ไข')
  const budget = change('budget', '1000', '2000')
  const winner = change('winner_announce_date', null, '2026-12-01')
  const submission = change('submission_end_date', '2026-11-25', '2026-12-02')
  const first = (...changes: ReturnType<typeof change>[]) => changeLine(notificationForTests({ changes }))
  expect(first(remark, budget, winner, submission)).toEqual({
    field: expect.stringContaining('ยื่น'),
    old: '25 พ.ย. 2569',
    new: '2 ธ.ค. 2569',
    more: 3,
  })
  expect(first(remark, budget, winner)?.new).toBe('1 ธ.ค. 2569')
  expect(first(remark, budget)).toMatchObject({ old: '1,000.00', new: '2,000.00', more: 1 })
  expect(first(remark)).toMatchObject({ old: 'ไม่มีข้อมูล', new: 'แก้ไข', more: 0 })
  expect(first()).toBeUndefined()
})

test('news of saved questions say how many companies are new, or that the first three changed', () => {
  const told = { type: 'Question_news', due_date: null, outdated: false }
  expect(notificationText({ ...told, change_count: 2 }, TODAY)?.text).toBe('ผู้ชนะรายใหม่ 2 ราย')
  expect(notificationText({ ...told, change_count: 0 }, TODAY)?.text).toBe('สามอันดับแรกเปลี่ยน')
})

test('what was found in a document is told by the name of its filter, while there is one', () => {
  const filter = { id: '1', name: 'มาตรฐาน', words: 'ISO 9001' }
  const told = { type: 'Document_found', due_date: null, outdated: false }
  expect(notificationText({ ...told, filter }, TODAY)?.text).toBe('พบในเอกสาร ตามตัวกรอง มาตรฐาน')
  expect(notificationText(told, TODAY)?.text).toBe('พบในเอกสาร')
  const found = { word: 'หม้อแปลง', page: 3 }
  expect(notificationText({ ...told, found }, TODAY)?.text).toBe('พบคำ ‘หม้อแปลง’ ในเอกสาร หน้า 3')
})
