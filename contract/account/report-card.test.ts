import { expect, test } from 'vitest'
import { toPublicTaxId } from '../catalogue/natural-person.ts'
import { findSuspensionDays, formatReportCard, isSuspendedOn, reportCardEntrySchema } from './report-card.ts'

const TODAY = '2026-11-29'

test.each([
  [{ points: 60, suspended_until: '2027-01-12' }, 'พักสิทธิถึง 12 ม.ค. 2570 · 60 แต้ม'],
  [{ points: null, suspended_until: TODAY }, 'พักสิทธิถึง 29 พ.ย. 2569'],
  [{ points: 0, suspended_until: '2026-11-28' }, 'เคยถูกพักสิทธิถึง 28 พ.ย. 2569 · 0 แต้ม'],
  [{ points: 10, suspended_until: null }, '10 แต้ม'],
])('%j reads %s', (card, text) => {
  expect(formatReportCard(card, TODAY)).toBe(text)
})

test('a suspension includes its last day', () => {
  expect(['2027-01-12', '2027-01-13'].map((day) => isSuspendedOn({ suspended_until: '2027-01-12' }, day))).toEqual([
    true,
    false,
  ])
})

test('points lead to the days of Regulation No. 3', () => {
  const days = [9, 10, 29, 30, 60, 120, 180, 239, 240, 999].map((points) => findSuspensionDays(points))
  expect(days).toEqual([undefined, 30, 30, 90, 180, 360, 540, 540, 720, 720])
})

test.each(['1234567890121', '1-2345-67890-12-1', '12345xxxx0121', 'x234567890121', '8000000000000', '123'])(
  'the id %s of a person or of nothing is refused',
  (id) => {
    expect(toPublicTaxId(id)).toBeNull()
  },
)

test('an entry needs points or a day', () => {
  const entry = (points: number | null, suspended_until: string | null) =>
    reportCardEntrySchema.safeParse({ name: 'บริษัท ก จำกัด', points, suspended_until }).success
  expect([entry(null, null), entry(0, null), entry(null, TODAY), entry(-1, null), entry(1.5, null)]).toEqual([
    false,
    true,
    true,
    false,
    false,
  ])
})
