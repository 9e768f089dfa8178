import { expect, test } from 'vitest'
import { getFiscalYear } from '../thai/thai-date.ts'
import { getAccessibleBudgetYears, parseAllowedBudgetYears } from './fiscal-year.ts'

test('the fiscal year begins in October', () => {
  expect([getFiscalYear('2024-09-30'), getFiscalYear('2024-10-01')]).toEqual([2567, 2568])
})

test('C20: parses package years in either era and with blanks, newest first, without duplicates', () => {
  expect(parseAllowedBudgetYears(' 2567,2568 , 2026,2569,abc,,25')).toEqual([2569, 2568, 2567])
  expect(parseAllowedBudgetYears('')).toEqual([])
})

test('date limits allow each year that has a day within them', () => {
  const years = '2568,2569,2570'
  expect(getAccessibleBudgetYears(years, { start: null, end: null })).toEqual([2570, 2569, 2568])
  expect(getAccessibleBudgetYears(years, { start: '2025-09-30', end: '2026-09-30' })).toEqual([2569, 2568])
  expect(getAccessibleBudgetYears(years, { start: '2025-10-01', end: '2026-10-01' })).toEqual([2570, 2569])
  expect(getAccessibleBudgetYears('', { start: null, end: null })).toEqual([])
})
