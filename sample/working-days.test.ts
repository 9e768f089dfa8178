import { expect, test } from 'vitest'
import { inventedTaxId, taxIdCheckDigit } from './companies.ts'
import { addWorkingDays, dayOf, fiscalYearOf, fiscalYearStart, isoOf, isWorkingDay } from './working-days.ts'

test('weekends and public holidays are not working days', () => {
  expect(isWorkingDay(dayOf('2026-11-20'))).toBe(true)
  expect(isWorkingDay(dayOf('2026-11-21'))).toBe(false)
  expect(isWorkingDay(dayOf('2026-11-22'))).toBe(false)
  expect(isWorkingDay(dayOf('2026-04-13'))).toBe(false)
})

test('five working days over Songkran end more than a week later', () => {
  expect(isoOf(addWorkingDays(dayOf('2026-04-10'), 5))).toBe('2026-04-22')
  expect(isoOf(addWorkingDays(dayOf('2026-11-21'), 0))).toBe('2026-11-23')
})

test('the fiscal year changes on 1 October', () => {
  expect(fiscalYearOf(dayOf('2026-09-30'))).toBe(2569)
  expect(fiscalYearOf(dayOf('2026-10-01'))).toBe(2570)
  expect(isoOf(fiscalYearStart(2570))).toBe('2026-10-01')
})

test('computes the check digit of published juristic numbers', () => {
  // Numbers of a university and a joint venture from the open data.
  expect(taxIdCheckDigit('099400016086')).toBe(1)
  expect(taxIdCheckDigit('099300043918')).toBe(0)
  expect(inventedTaxId(5, 2554, 12)).toMatch(/^0985554000\d{3}$/)
})
