import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type RowOrder, selectFirst } from './select-first.ts'

/** More rows than the candidates of a selection of 20, so that they are reduced on the way. */
const ROWS = 10_000

const select = (order: RowOrder, count: number, rows = ROWS) =>
  [
    ...selectFirst(
      Int32Array.from({ length: rows }, (_, at) => at),
      count,
      order,
    ),
  ].sort((a, b) => order(a, b))

test('selects what sorting all rows puts first', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 5_000 }),
      fc.integer({ min: 0, max: 2 ** 31 - 1 }),
      fc.integer({ min: 1, max: ROWS }),
      (values, seed, count) => {
        const value = (row: number) => Math.imul(row + 1, seed | 1) % values
        const order: RowOrder = (a, b) => value(a) - value(b) || a - b
        const sorted = Array.from({ length: ROWS }, (_, at) => at).sort(order)
        expect(select(order, count)).toEqual(sorted.slice(0, count))
      },
    ),
    { numRuns: 60 },
  )
})

test.each([
  ['ascending', (a: number, b: number) => (a < b ? -1 : 1)],
  ['descending', (a: number, b: number) => (a < b ? 1 : -1)],
])('ends with a comparator that never returns 0, %s', (_, order) => {
  const sorted = Array.from({ length: ROWS }, (_row, at) => at).sort(order)
  for (const count of [1, 20, 1_000]) expect(select(order, count)).toEqual(sorted.slice(0, count))
})

test('returns all rows when there are fewer than asked for', () => {
  expect(select((a, b) => a - b, 50, 3)).toEqual([0, 1, 2])
})
