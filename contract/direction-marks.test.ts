import { expect, test } from 'vitest'
import { stripDirectionMarks } from './direction-marks.ts'

test.each([
  ['บริษัท \u202eก จำกัด', 'บริษัท ก จำกัด'],
  ['\u2067ซ้าย\u2069 ขวา\u200f', 'ซ้าย ขวา'],
  ['\u202a\u202b\u202c\u202d\u2066\u2068\u200e\u061c', ''],
  // Zero-width joiners stay because emoji need them, no-break spaces because amounts contain them.
  ['👩\u200d🔧 1\u00a0ล้าน', '👩\u200d🔧 1\u00a0ล้าน'],
])('%j becomes %j', (text, stripped) => {
  expect(stripDirectionMarks(text)).toBe(stripped)
  expect(JSON.parse(stripDirectionMarks(JSON.stringify({ text })))).toEqual({ text: stripped })
})
