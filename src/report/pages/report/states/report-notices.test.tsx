import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { ReportNotices } from './report-notices.tsx'

const NONE = {
  ignored: [],
  saved: undefined,
  outsideProvinces: [],
  loadingUntil: undefined,
  freshness: undefined,
  personal: [],
}

test('names a saved filter in the link that the account does not have', () => {
  render(<ReportNotices {...NONE} saved="unknown" />)
  expect(screen.getByRole('status')).toHaveTextContent(
    'ไม่มีตัวกรองที่บันทึก “unknown” ในบัญชีของคุณ รายงานกรองตามส่วนอื่นของลิงก์เท่านั้น',
  )
})

test.each([
  ['2026-11-21T01:12:00Z', 'รอบที่ดึงได้ครบล่าสุดคือ 21 พ.ย. 2569 08:12 น. เกิน 36 ชั่วโมงแล้ว'],
  [null, 'ยังไม่มีรอบใดที่ดึงได้ครบ เกิน 36 ชั่วโมงแล้ว'],
])('warns that the last full round of %s is too old', (full_at, text) => {
  render(<ReportNotices {...NONE} freshness={{ checked_at: null, missing: 0, is_late: true, full_at }} />)
  expect(screen.getByRole('status')).toHaveTextContent(`ประกาศใหม่อาจยังมาไม่ครบ: ${text} งานด่วนให้ตรวจที่ e-GP ด้วย`)
})
