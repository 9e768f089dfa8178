import { expect, test } from 'vitest'
import { parseRowId } from './parse-row-id.ts'

test.each(['1', '42', '999999999'])('%s is an id', (text) => {
  expect(parseRowId(text)).toBe(Number(text))
})

test.each(['', '0', '01', '-1', '1.0', '1e3', ' 1', '1\n', '๑', 'one', '1000000000', '1;drop'])(
  '%j is answered like a missing row',
  (text) => {
    expect(() => parseRowId(text)).toThrow(expect.objectContaining({ code: 'not_found', status: 404 }))
  },
)
