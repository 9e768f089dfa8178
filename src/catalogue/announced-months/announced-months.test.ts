import { expect, test } from 'vitest'
import { findUsualAnnouncementMonths, formatExpectedAnnouncement, toFiscalYearMonths } from './announced-months.ts'

const MONTHS = [
  { month: 1, n: 10 },
  { month: 2, n: 4 },
  { month: 11, n: 5 },
]

test('lists months in fiscal-year order, including empty ones', () => {
  expect(toFiscalYearMonths(MONTHS).map(({ month }) => month)).toEqual([10, 11, 12, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  expect(toFiscalYearMonths(MONTHS).map(({ n }) => n)).toEqual([0, 5, 0, 10, 4, 0, 0, 0, 0, 0, 0, 0])
})

test('usual months are at most three, each with at least half of the maximum', () => {
  const flat = [23, 32, 23, 16, 8, 11, 18, 18, 5, 22, 25, 23].map((n, index) => ({ month: index + 1, n }))
  expect(findUsualAnnouncementMonths(flat)).toEqual([11, 12, 2])
  expect(findUsualAnnouncementMonths(MONTHS)).toEqual([11, 1])
  expect(findUsualAnnouncementMonths([])).toEqual([])
})

test('the forecast omits months of the fiscal year that are over', () => {
  expect(formatExpectedAnnouncement(MONTHS, 2570, '2026-10-01')).toBe(
    'เคยประกาศมากสุดเดือน พ.ย., ม.ค. · รอบปี 2570 น่าจะประกาศ พ.ย. 2569, ม.ค. 2570',
  )
  expect(formatExpectedAnnouncement(MONTHS, 2570, '2026-12-01')).toBe(
    'เคยประกาศมากสุดเดือน พ.ย., ม.ค. · รอบปี 2570 น่าจะประกาศ ม.ค. 2570',
  )
  expect(formatExpectedAnnouncement(MONTHS, 2569, '2026-11-21')).toBe(
    'เคยประกาศมากสุดเดือน พ.ย., ม.ค. · ของปี 2569 ผ่านช่วงนั้นแล้ว',
  )
  expect(formatExpectedAnnouncement([], 2570, '2026-11-21')).toBeUndefined()
})
