import { act, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { WatchListLockWindow } from '#contract/account/watch-list-lock-window.ts'
import { recordWatchListLock, useWatchListsLocked } from './watch-lists-locked-banner.tsx'

/** The default lock hours in Bangkok, which is UTC+7 without daylight saving time. */
const NIGHT: WatchListLockWindow = { not_allow_start_time: '01:00:00', not_allow_end_time: '09:00:00' }
const NEVER: WatchListLockWindow = { not_allow_start_time: '00:00:00', not_allow_end_time: '00:00:00' }
const bangkok = (time: string) => new Date(`2026-11-21T${time}+07:00`)

function Probe({ window }: { window: WatchListLockWindow }) {
  return <p>{useWatchListsLocked(window) ? 'ปิด' : 'เปิด'}</p>
}
const show = (window = NIGHT) => render(<Probe window={window} />)
const stateText = () => screen.getByText(/ปิด|เปิด/).textContent
const pass = (seconds: number) => act(() => vi.advanceTimersByTimeAsync(seconds * 1000))

beforeEach(() => {
  vi.useFakeTimers()
  localStorage.clear()
})
afterEach(() => {
  vi.useRealTimers()
})

describe('on a device outside the Bangkok time zone', () => {
  test('these tests run in UTC', () => {
    expect(new Date().getTimezoneOffset()).toBe(0)
  })

  test.each([
    ['00:59:59', 'เปิด'],
    ['01:00:00', 'ปิด'],
    ['08:59:59', 'ปิด'],
    ['09:00:00', 'เปิด'],
  ])('at %s in Bangkok the lists are %s', (time, state) => {
    vi.setSystemTime(bangkok(time))
    show()
    expect(stateText()).toBe(state)
  })

  test('opens and closes the lists at the scheduled times', async () => {
    vi.setSystemTime(bangkok('08:59:57'))
    show()
    await pass(2)
    expect(stateText()).toBe('ปิด')
    await pass(2)
    expect(stateText()).toBe('เปิด')
    vi.setSystemTime(bangkok('00:59:59'))
    await pass(2)
    expect(stateText()).toBe('ปิด')
  })
})

describe('a server refusal', () => {
  test('locks the lists until the window ends, even if the local clock is seconds behind', async () => {
    vi.setSystemTime(bangkok('00:59:50'))
    show()
    expect(stateText()).toBe('เปิด')
    act(() => recordWatchListLock(NIGHT))
    expect(stateText()).toBe('ปิด')
    vi.setSystemTime(bangkok('08:59:58'))
    await pass(1)
    expect(stateText()).toBe('ปิด')
    await pass(3)
    expect(stateText()).toBe('เปิด')
  })

  test('locks the lists for a minute when it comes outside the window', async () => {
    vi.setSystemTime(bangkok('12:00:00'))
    show(NEVER)
    act(() => recordWatchListLock(NEVER))
    expect(stateText()).toBe('ปิด')
    await pass(61)
    expect(stateText()).toBe('เปิด')
  })
})
