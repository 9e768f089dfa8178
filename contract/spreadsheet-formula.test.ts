import { expect, test } from 'vitest'
import { guardedCell, unguardedCell } from './spreadsheet-formula.ts'

test.each([
  '=1+1',
  '+66812345678',
  '-5',
  '@SUM(A1)',
  '|cmd',
  '\tx',
  '\rx',
  '\nx',
  '＝HYPERLINK("http://x","y")',
  '＋1',
  '－1',
  '＠SUM(A1)',
  '｜cmd',
])('R34: %j gets an apostrophe, and is read back without', (text) => {
  expect(guardedCell(text)).toBe(`'${text}`)
  expect(unguardedCell(guardedCell(text))).toBe(text)
})

test.each(['', 'กล้อง=1', "'กล้อง", "it's", '1+1', '(=1)', '0-5'])('%j stays as it is', (text) => {
  expect(guardedCell(text)).toBe(text)
  expect(unguardedCell(text)).toBe(text)
})
