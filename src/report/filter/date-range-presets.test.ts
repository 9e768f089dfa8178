import { expect, test } from 'vitest'
import { REPORT_DATE_PRESETS } from '#contract/report/report.ts'
import { buildDateRangePresets } from './date-range-presets.ts'

const names = (presets: readonly { th: string }[]) => presets.map(({ th }) => th)

test('lists the periods that fit in one line first where the panel has one line', () => {
  const { first, more } = buildDateRangePresets('submission_end_date__range', '2026-11-21')
  expect(names(first)).toEqual(['ภายใน 3 วัน', 'ภายใน 7 วัน'])
  expect(names(more).slice(0, 2)).toEqual(['วันนี้', 'ภายใน 14 วัน'])
})

test('lists future periods first for deadlines', () => {
  expect(names(buildDateRangePresets('draft_discussion_end_date__range', '2026-11-21').first)).toEqual([
    'วันนี้',
    'ภายใน 3 วัน',
    'ภายใน 7 วัน',
    'ภายใน 14 วัน',
    'ภายใน 30 วัน',
  ])
})

test('lists past periods and the fiscal year first for announcement dates', () => {
  expect(names(buildDateRangePresets('draft_published_date__range', '2026-11-21').first)).toEqual([
    'วันนี้',
    '7 วันที่ผ่านมา',
    '30 วันที่ผ่านมา',
    'ปีงบประมาณ 2570',
  ])
})

test('omits no preset', () => {
  const { first, more } = buildDateRangePresets('submission_end_date__range', '2026-11-21')
  expect(first.length + more.length).toBe(REPORT_DATE_PRESETS.length + 1)
})
