import { expect, test } from 'vitest'
import { createReportLimit } from './sentry.ts'

test('a loop of one failure is told three times a minute, and another failure beside it all the same', () => {
  let now = 0
  const mayLeave = createReportLimit(() => now)
  const told = () => Array.from({ length: 1000 }, () => mayLeave('loop')).filter(Boolean).length
  expect(told()).toBe(3)
  expect(mayLeave('another')).toBe(true)
  now = 59_999
  expect(told()).toBe(0)
  now = 60_000
  expect(told()).toBe(3)
})

test('a page tells of fifty failures in its life, however many kinds there are', () => {
  const mayLeave = createReportLimit(() => 0)
  const told = Array.from({ length: 200 }, (_, kind) => mayLeave(String(kind))).filter(Boolean)
  expect(told).toHaveLength(50)
})
