import { expect, test } from 'vitest'
import { composeNotificationText } from '#contract/report/compose-notification-text.ts'
import { buildTestNotification } from './notification-for-tests.ts'
import { buildNotificationChangeLine } from './notification-item.tsx'

const TODAY = '2026-11-21'
const textOf = (type: string, due_date: string | null = null, outdated = false) =>
  composeNotificationText({ type, due_date, outdated }, TODAY)

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
  ['Discussion_date_end', '2026-11-20', 'วิจารณ์ร่าง ปิดรับแล้ว', 'past'],
  ['Submission_date_end', '2026-11-01', 'ยื่นข้อเสนอ ปิดรับแล้ว', 'past'],
  ['Discussion_date_end', null, 'วิจารณ์ร่าง ใกล้ปิด', 'soon'],
  ['Submission_date_end', null, 'ยื่นข้อเสนอ ใกล้ปิด', 'soon'],
])('describes %s of %s on the 21st as: %s', (type, due, text, tone) => {
  expect(textOf(type, due)).toEqual({ text, tone, struck: false })
})

test('strikes through a warning whose date has changed, and counts no days', () => {
  expect(textOf('Submission_date_end', '2026-11-28', true)).toEqual({
    text: 'ยื่นข้อเสนอถึง 28 พ.ย. 2569',
    tone: 'past',
    struck: true,
  })
  expect(textOf('Discussion_date_end', '2026-11-28', true)?.text).toBe('วิจารณ์ร่างถึง 28 พ.ย. 2569')
})

test('returns nothing for an unknown type, also for an inherited property name', () => {
  expect(textOf('Contract_signed')).toBeUndefined()
  expect(textOf('toString')).toBeUndefined()
})

test('prefers the submission date over other dates, and dates over money', () => {
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
  const first = (...changes: ReturnType<typeof change>[]) =>
    buildNotificationChangeLine(buildTestNotification({ changes }))
  expect(first(remark, budget, winner, submission)).toEqual({
    field: expect.stringContaining('ยื่น'),
    old: '25 พ.ย. 2569',
    new: '2 ธ.ค. 2569',
    moreCount: 3,
  })
  expect(first(remark, budget, winner)?.new).toBe('1 ธ.ค. 2569')
  expect(first(remark, budget)).toMatchObject({ old: '1,000.00', new: '2,000.00', moreCount: 1 })
  expect(first(remark)).toMatchObject({ old: 'ไม่มีข้อมูล', new: 'แก้ไข', moreCount: 0 })
  expect(first()).toBeUndefined()
})

test('states how many companies of a saved question are new, or that the top three changed', () => {
  const notification = { type: 'Question_news', due_date: null, outdated: false }
  expect(composeNotificationText({ ...notification, change_count: 2 }, TODAY)?.text).toBe('ผู้ชนะรายใหม่ 2 ราย')
  expect(composeNotificationText({ ...notification, change_count: 0 }, TODAY)?.text).toBe('สามอันดับแรกเปลี่ยน')
})

test('names the filter of a document match while it exists', () => {
  const filter = { id: '1', name: 'มาตรฐาน', words: 'ISO 9001' }
  const notification = { type: 'Document_found', due_date: null, outdated: false }
  expect(composeNotificationText({ ...notification, filter }, TODAY)?.text).toBe('พบในเอกสาร ตามตัวกรอง มาตรฐาน')
  expect(composeNotificationText(notification, TODAY)?.text).toBe('พบในเอกสาร')
  const match = { word: 'หม้อแปลง', page: 3 }
  expect(composeNotificationText({ ...notification, found: match }, TODAY)?.text).toBe('พบคำ ‘หม้อแปลง’ ในเอกสาร หน้า 3')
})
