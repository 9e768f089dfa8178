import { expect, test } from 'vitest'
import { changeText, NOISE_BAND_TEXT, perDayText } from './impact-text.ts'

test('projects a day are told to a tenth below ten, whole from there', () => {
  expect([0, 2.44, 9.96, 54.7, 1234.4].map(perDayText)).toEqual(['0', '2.4', '10', '55', '1,234'])
})

test('changes carry their sign, and a true minus', () => {
  expect([1204, -24, 0].map(changeText)).toEqual(['+1,204', '−24', '0'])
})

test('the band is that of the contract', () => {
  expect(NOISE_BAND_TEXT).toBe('3–30')
})
