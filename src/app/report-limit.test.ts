import { expect, test } from 'vitest'
import { createErrorReportLimiter } from './sentry.ts'

test('reports a repeating failure three times a minute, and other failures independently', () => {
  let now = 0
  const mayLeave = createErrorReportLimiter(() => now)
  const countReported = () => Array.from({ length: 1000 }, () => mayLeave('loop')).filter(Boolean).length
  expect(countReported()).toBe(3)
  expect(mayLeave('another')).toBe(true)
  now = 59_999
  expect(countReported()).toBe(0)
  now = 60_000
  expect(countReported()).toBe(3)
})

test('reports at most fifty failures per page, however many kinds', () => {
  const mayLeave = createErrorReportLimiter(() => 0)
  const reported = Array.from({ length: 200 }, (_, kind) => mayLeave(String(kind))).filter(Boolean)
  expect(reported).toHaveLength(50)
})
