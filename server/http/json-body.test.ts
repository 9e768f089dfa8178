import { expect, test } from 'vitest'
import { measureCpuMs } from '../../test/processor-time.ts'
import { isJsonNestedDeeperThan } from './app.ts'

test.each([
  ['[[1]]', 2, false],
  ['[[[1]]]', 2, true],
  ['[1],[2],[3]', 1, false],
  ['{"a":{"b":{}}}', 2, true],
  ['{"a":"[[[[[["}', 1, false],
  ['{"a":"\\"[[[","b":[1]}', 2, false],
  ['["\\\\",[[1]]]', 2, true],
])('%s is deeper than %i: %s', (json, limit, expected) => {
  expect(isJsonNestedDeeperThan(limit, json)).toBe(expected)
})

test('rejects a megabyte of brackets at the depth limit without reading the rest', () => {
  const brackets = '['.repeat(1_000_000)
  // Compare the best of five CPU times, because other work on the machine only adds time.
  const times = Array.from({ length: 5 }, () =>
    measureCpuMs(() => expect(isJsonNestedDeeperThan(32, brackets)).toBe(true)),
  )
  expect(Math.min(...times)).toBeLessThan(5)
})
