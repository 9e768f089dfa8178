import { expect, test } from 'vitest'
import { formatProjectsPerDay, formatSignedCount, KEYWORD_NOISE_THRESHOLD_RANGE_TEXT } from './impact-text.ts'

test('formats projects per day with one decimal below ten and none from there', () => {
  expect([0, 2.44, 9.96, 54.7, 1234.4].map(formatProjectsPerDay)).toEqual(['0', '2.4', '10', '55', '1,234'])
})

test('formats changes with a sign and a true minus', () => {
  expect([1204, -24, 0].map(formatSignedCount)).toEqual(['+1,204', '−24', '0'])
})

test('uses the noise band of the contract', () => {
  expect(KEYWORD_NOISE_THRESHOLD_RANGE_TEXT).toBe('3–30')
})
