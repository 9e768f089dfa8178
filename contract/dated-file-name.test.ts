import { expect, test } from 'vitest'
import { buildDatedFileName } from './dated-file-name.ts'

test('file names carry the Gregorian day in Bangkok, even before midnight in London', () => {
  expect(buildDatedFileName('company-', new Date('2026-11-21T16:59:59Z'))).toBe('company-20261121.xlsx')
  expect(buildDatedFileName('company-', new Date('2026-11-21T17:00:00Z'))).toBe('company-20261122.xlsx')
  expect(buildDatedFileName('REPORT_', new Date('2026-01-02T00:00:00Z'), 'csv')).toBe('REPORT_20260102.csv')
})
