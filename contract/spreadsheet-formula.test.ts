import { expect, test } from 'vitest'
import { escapeCell, unescapeCell } from './spreadsheet-formula.ts'

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
])('R34: prefixes %j with an apostrophe, and strips it when reading', (text) => {
  expect(escapeCell(text)).toBe(`'${text}`)
  expect(unescapeCell(escapeCell(text))).toBe(text)
})

test.each(['', 'กล้อง=1', "'กล้อง", "it's", '1+1', '(=1)', '0-5'])('leaves %j unchanged', (text) => {
  expect(escapeCell(text)).toBe(text)
  expect(unescapeCell(text)).toBe(text)
})
