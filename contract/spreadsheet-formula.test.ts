import { expect, test } from 'vitest'
import { escapeSpreadsheetCell, unescapeSpreadsheetCell } from './spreadsheet-formula.ts'

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
  expect(escapeSpreadsheetCell(text)).toBe(`'${text}`)
  expect(unescapeSpreadsheetCell(escapeSpreadsheetCell(text))).toBe(text)
})

test.each(['', 'กล้อง=1', "'กล้อง", "it's", '1+1', '(=1)', '0-5'])('leaves %j unchanged', (text) => {
  expect(escapeSpreadsheetCell(text)).toBe(text)
  expect(unescapeSpreadsheetCell(text)).toBe(text)
})
