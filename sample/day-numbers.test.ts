import { expect, test } from 'vitest'
import {
  addWorkingDaysToDayNumber,
  dayNumberToFiscalYear,
  dayNumberToIsoDate,
  getFiscalYearStartDay,
  isoDateToDayNumber,
  isWorkingDayNumber,
} from './day-numbers.ts'
import { computeTaxIdCheckDigit, createFakeTaxId } from './sample-companies.ts'

test('weekends and public holidays are not working days', () => {
  expect(isWorkingDayNumber(isoDateToDayNumber('2026-11-20'))).toBe(true)
  expect(isWorkingDayNumber(isoDateToDayNumber('2026-11-21'))).toBe(false)
  expect(isWorkingDayNumber(isoDateToDayNumber('2026-11-22'))).toBe(false)
  expect(isWorkingDayNumber(isoDateToDayNumber('2026-04-13'))).toBe(false)
})

test('five working days over Songkran end more than a week later', () => {
  expect(dayNumberToIsoDate(addWorkingDaysToDayNumber(isoDateToDayNumber('2026-04-10'), 5))).toBe('2026-04-22')
  expect(dayNumberToIsoDate(addWorkingDaysToDayNumber(isoDateToDayNumber('2026-11-21'), 0))).toBe('2026-11-23')
})

test('the fiscal year changes on 1 October', () => {
  expect(dayNumberToFiscalYear(isoDateToDayNumber('2026-09-30'))).toBe(2569)
  expect(dayNumberToFiscalYear(isoDateToDayNumber('2026-10-01'))).toBe(2570)
  expect(dayNumberToIsoDate(getFiscalYearStartDay(2570))).toBe('2026-10-01')
})

test('computes the check digit of published juristic numbers', () => {
  // These are the tax ids of a university and a joint venture in the open data.
  expect(computeTaxIdCheckDigit('099400016086')).toBe(1)
  expect(computeTaxIdCheckDigit('099300043918')).toBe(0)
  expect(createFakeTaxId(5, 2554, 12)).toMatch(/^0985554000\d{3}$/)
})
