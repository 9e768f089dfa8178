import { expect, test } from 'vitest'
import { nestsDeeperThan } from './app.ts'

test.each([
  ['[[1]]', 2, false],
  ['[[[1]]]', 2, true],
  ['[1],[2],[3]', 1, false],
  ['{"a":{"b":{}}}', 2, true],
  ['{"a":"[[[[[["}', 1, false],
  ['{"a":"\\"[[[","b":[1]}', 2, false],
  ['["\\\\",[[1]]]', 2, true],
])('%s is deeper than %i: %s', (json, limit, expected) => {
  expect(nestsDeeperThan(limit, json)).toBe(expected)
})

test('a megabyte of brackets is judged at the limit, not at the end', () => {
  const started = performance.now()
  expect(nestsDeeperThan(32, '['.repeat(1_000_000))).toBe(true)
  expect(performance.now() - started).toBeLessThan(20)
})
