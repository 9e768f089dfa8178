import { expect, test } from 'vitest'
import { getRunningNightlyLoadEndTime } from './nightly-load-end-time.ts'

const NIGHT = { not_allow_start_time: '01:00:00', not_allow_end_time: '09:00:00' }
const YESTERDAY = '2026-11-20T02:00:00Z'
/** Returns a time of day on 21 Nov 2026 in Bangkok. */
const at = (time: string) => new Date(`2026-11-21T${time}:00+07:00`)

test.each([
  ['00:59', undefined],
  ['01:00', '09:00'],
  ['08:59', '09:00'],
  ['09:00', undefined],
])('at %s in Bangkok the report is being prepared until %s', (time, until) => {
  expect(getRunningNightlyLoadEndTime(NIGHT, YESTERDAY, at(time))).toBe(until)
})

test('a window may cross midnight', () => {
  const late = { not_allow_start_time: '22:00:00', not_allow_end_time: '02:00:00' }
  expect(getRunningNightlyLoadEndTime(late, YESTERDAY, at('23:30'))).toBe('02:00')
  expect(getRunningNightlyLoadEndTime(late, YESTERDAY, at('01:59'))).toBe('02:00')
  expect(getRunningNightlyLoadEndTime(late, YESTERDAY, at('02:00'))).toBeUndefined()
})

test('reports no preparation once the new data has arrived', () => {
  expect(getRunningNightlyLoadEndTime(NIGHT, at('05:00').toISOString(), at('06:00'))).toBeUndefined()
})
