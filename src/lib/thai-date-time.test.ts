import { expect, test } from 'vitest'
import { formatThaiDateTime, formatThaiWeekdayAndDate } from './thai-date-time.ts'

test('instants are shown in Bangkok time, also across the turn of the year', () => {
  expect(formatThaiDateTime('2026-11-21T02:12:00Z')).toBe('21 พ.ย. 2569 09:12 น.')
  expect(formatThaiDateTime('2026-12-31T23:30:00Z')).toBe('1 ม.ค. 2570 06:30 น.')
})

test('abbreviates the weekday of the Bangkok day', () => {
  expect(formatThaiWeekdayAndDate('2026-11-19T02:12:00Z')).toBe('พฤ. 19 พ.ย.')
  expect(formatThaiWeekdayAndDate('2026-11-21T18:00:00Z')).toBe('อา. 22 พ.ย.')
})
