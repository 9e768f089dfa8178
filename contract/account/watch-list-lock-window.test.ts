import { describe, expect, test } from 'vitest'
import { getWatchListLockEnd } from './watch-list-lock-window.ts'

const window = (start: string, end: string) => ({ not_allow_start_time: start, not_allow_end_time: end })
const USUAL = window('01:00:00', '09:00:00')
const bangkok = (time: string) => new Date(`2026-11-21T${time}+07:00`)
const until = (hours: ReturnType<typeof window>, time: string) =>
  getWatchListLockEnd(hours, bangkok(time))?.toISOString()

describe('the not-allowed window', () => {
  test.each([
    ['00:59:59', undefined],
    ['00:59:59.999', undefined],
    ['01:00:00', '2026-11-21T02:00:00.000Z'],
    ['08:59:59.999', '2026-11-21T02:00:00.000Z'],
    ['09:00:00', undefined],
    ['23:59:59', undefined],
  ])('at %s in Bangkok the lists are closed until %s', (time, end) => {
    expect(until(USUAL, time)).toBe(end)
  })

  test.each([
    ['22:29:59', undefined],
    ['22:30:00', '2026-11-21T22:15:00.000Z'],
    ['23:59:59', '2026-11-21T22:15:00.000Z'],
    ['00:00:00', '2026-11-20T22:15:00.000Z'],
    ['05:14:59', '2026-11-20T22:15:00.000Z'],
    ['05:15:00', undefined],
  ])('with a window over midnight, at %s the lists are closed until %s', (time, end) => {
    expect(until(window('22:30:00', '05:15:00'), time)).toBe(end)
  })

  test('can end or begin at midnight', () => {
    expect(until(window('22:00:00', '00:00:00'), '23:00:00')).toBe('2026-11-21T17:00:00.000Z')
    expect(until(window('22:00:00', '00:00:00'), '00:00:00')).toBe(undefined)
    expect(until(window('00:00:00', '06:00:00'), '00:00:00')).toBe('2026-11-20T23:00:00.000Z')
  })

  test.each(['00:00:00', '01:00:00', '03:00:00'])('is off when both times are equal: %s', (time) => {
    for (const now of ['00:00:00', '00:59:59', '01:00:00', '03:00:00', '12:00:00'])
      expect(until(window(time, time), now)).toBe(undefined)
  })

  test('uses Bangkok time in every device time zone', () => {
    const zone = process.env.TZ
    try {
      for (const timeZone of ['America/Los_Angeles', 'Pacific/Kiritimati', 'Asia/Kathmandu']) {
        process.env.TZ = timeZone
        expect([until(USUAL, '00:59:59'), until(USUAL, '01:00:00'), until(USUAL, '09:00:00')]).toEqual([
          undefined,
          '2026-11-21T02:00:00.000Z',
          undefined,
        ])
      }
    } finally {
      if (zone === undefined) delete process.env.TZ
      else process.env.TZ = zone
    }
  })
})
