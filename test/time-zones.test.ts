import path from 'node:path'
import { expect, it } from 'vitest'
import { runInTimeZones } from './run-in-time-zones.ts'

it('gives the same dates in every time zone of the machine (R58)', () => {
  const outputs = runInTimeZones(path.join(import.meta.dirname, 'thai-dates-for-tests.ts'))
  expect(outputs[0]).toContain('"2026-01-01"')
  expect(new Set(outputs).size).toBe(1)
})
