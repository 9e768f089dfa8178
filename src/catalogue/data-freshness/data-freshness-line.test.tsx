import { expect, test } from 'vitest'
import { formatLastChecked } from './data-freshness-line.tsx'

const FULL = { checked_at: '2026-11-23T01:12:00Z', missing: 0, is_late: false, full_at: '2026-11-23T01:00:00Z' }

test.each([
  [FULL, 'ตรวจล่าสุด 23 พ.ย. 2569 08:12 น. · ครบ'],
  [{ ...FULL, missing: 1234 }, 'ตรวจล่าสุด 23 พ.ย. 2569 08:12 น. · ไม่ครบ 1,234 รายการ'],
  // No data is missing, but not every source was checked.
  [{ ...FULL, is_late: true }, 'ตรวจล่าสุด 23 พ.ย. 2569 08:12 น.'],
  [{ ...FULL, checked_at: null }, 'ยังไม่เคยตรวจ'],
])('%o reads %s', (freshness, text) => {
  expect(formatLastChecked(freshness)).toBe(text)
})
