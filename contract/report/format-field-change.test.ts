import { expect, test } from 'vitest'
import { formatFieldChange } from './format-field-change.ts'

const change = (field: string, old: string | null, next: string | null) =>
  formatFieldChange({ field, old, new: next, seen_at: '2026-11-21T02:00:00Z' })

test.each([
  ['submission_end_date', '2026-11-25', '2026-12-02', 'วันสิ้นสุดยื่นข้อเสนอ', '25 พ.ย. 2569', '2 ธ.ค. 2569'],
  ['budget', '4820000', '4795312.4', 'งบประมาณ', '4,820,000.00', '4,795,312.40'],
  ['movement', 'draft_published', 'invited', 'ความเคลื่อนไหว', 'ร่าง TOR', 'ประกาศเชิญชวน'],
  ['winner_name', null, 'บริษัท ก จำกัด', 'ผู้ชนะ', 'ไม่มีข้อมูล', 'บริษัท ก จำกัด'],
  ['contract_signed_date', null, '2026-11-21', 'วันลงนามสัญญา', 'ไม่มีข้อมูล', '21 พ.ย. 2569'],
])('formats a change of %s from %s to %s like its column', (field, old, next, title, oldText, newText) => {
  expect(change(field, old, next)).toEqual({ field: title, old: oldText, new: newText })
})
