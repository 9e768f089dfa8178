import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  addDays,
  addMonths,
  countDaysBetween,
  formatBangkokTime,
  formatThaiDate,
  formatThaiDateShort,
  formatThaiDateShortOrOriginal,
  getBangkokToday,
  getFiscalYear,
  getFiscalYearRange,
  parseIsoDate,
  resolveDateBound,
  toIsoDate,
} from './thai-date.ts'

const isoDate = fc
  .date({ min: new Date('1910-01-01T00:00:00Z'), max: new Date('2390-12-31T00:00:00Z'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10))

describe('getBangkokToday', () => {
  it.each([
    ['2025-12-31T16:59:59Z', '2025-12-31'],
    ['2025-12-31T17:00:00Z', '2026-01-01'],
    ['2025-12-31T23:30:00Z', '2026-01-01'],
    ['2026-11-21T00:30:00+07:00', '2026-11-21'],
    ['2026-11-21T06:59:59+07:00', '2026-11-21'],
  ])('%s is %s in Bangkok', (instant, today) => {
    expect(getBangkokToday(new Date(instant))).toBe(today)
  })
})

it('prints Buddhist era years, and – for an invalid date', () => {
  expect(formatThaiDate('2024-02-29')).toBe('29/02/2567')
  expect(formatThaiDateShort('2026-11-21')).toBe('21 พ.ย. 2569')
  expect(formatThaiDateShort('2026-01-01')).toBe('1 ม.ค. 2569')
  expect(formatBangkokTime(new Date('2025-12-31T18:05:00Z'))).toBe('01/01/2569 01:05')
  for (const nothing of [null, '', '2023-02-29', '2567-02-29', '21/11/2569']) {
    expect(formatThaiDate(nothing)).toBe('–')
    expect(formatThaiDateShort(nothing)).toBe('–')
  }
})

it('recognises valid days', () => {
  expect(toIsoDate(2024, 2, 29)).toBe('2024-02-29')
  for (const [year, month, day] of [
    [2023, 2, 29],
    [2024, 4, 31],
    [2024, 13, 1],
    [2024, 0, 1],
    [2024, 1, 0],
    [1899, 12, 31],
    [2400, 1, 1],
  ] as const) {
    expect(toIsoDate(year, month, day)).toBeUndefined()
  }
  expect(parseIsoDate('2000-02-29')).toEqual({ year: 2000, month: 2, day: 29 })
  expect(parseIsoDate('1900-02-29')).toBeUndefined()
})

it('counts calendar days across leap days and years', () => {
  expect(addDays('2024-02-28', 1)).toBe('2024-02-29')
  expect(addDays('2025-02-28', 1)).toBe('2025-03-01')
  expect(addDays('2026-01-01', -1)).toBe('2025-12-31')
  expect(countDaysBetween('2025-12-31', '2026-01-07')).toBe(7)
  fc.assert(
    fc.property(isoDate, fc.integer({ min: -3000, max: 3000 }), (iso, days) => {
      expect(countDaysBetween(iso, addDays(iso, days))).toBe(days)
    }),
  )
})

it('adds months, clamped to the last day of a shorter one', () => {
  expect(addMonths('2025-01-31', 1)).toBe('2025-02-28')
  expect(addMonths('2024-01-31', 1)).toBe('2024-02-29')
  expect(addMonths('2025-11-15', 3)).toBe('2026-02-15')
  expect(addMonths('2025-01-15', -1)).toBe('2024-12-15')
})

it('puts October into the next fiscal year (D15)', () => {
  expect(getFiscalYear('2024-09-30')).toBe(2567)
  expect(getFiscalYear('2024-10-01')).toBe(2568)
  expect(getFiscalYearRange(2568)).toEqual({ from: '2024-10-01', to: '2025-09-30' })
  fc.assert(
    fc.property(isoDate, (iso) => {
      const { from, to } = getFiscalYearRange(getFiscalYear(iso))
      expect(from <= iso && iso <= to).toBe(true)
    }),
  )
})

it('resolves the bounds of a date range', () => {
  expect(resolveDateBound('@0', '2026-11-21')).toBe('2026-11-21')
  expect(resolveDateBound('@7', '2026-11-27')).toBe('2026-12-04')
  expect(resolveDateBound('@-30', '2026-11-21')).toBe('2026-10-22')
  expect(resolveDateBound('2026-01-31', '2026-11-21')).toBe('2026-01-31')
  for (const wrong of ['', '@', '@x', '@99999', '2026-02-30', '31/01/2569']) {
    expect(resolveDateBound(wrong, '2026-11-21')).toBeUndefined()
  }
})

it('formats days in everyday form, and shows invalid ones as received', () => {
  expect(formatThaiDateShortOrOriginal('2024-02-29')).toBe('29 ก.พ. 2567')
  expect(formatThaiDateShortOrOriginal('ไม่ระบุ')).toBe('ไม่ระบุ')
})
