import { expect, test } from 'vitest'
import { splitPastedKeywords } from '#contract/matching/pasted-keywords.ts'
import { buildTestKeyword } from '#src/matching/api/organisation-for-tests.ts'
import { formatKeywordList, formatKeywordListCsv } from '#src/matching/keywords/keyword-list-card.tsx'
import { addServerProblemsToBulkLines, checkBulkKeywordLines } from './bulk-add-keywords-box.tsx'

test('reports grammar errors, stored words and duplicates per line', () => {
  const lines = checkBulkKeywordLines(
    'include',
    ['กล้อง', 'CC TV', '(ยา', 'กล้อง ', 'ก', 'ไฟถนน'],
    [buildTestKeyword(1, 'cc tv')],
  )
  expect(lines.map(({ problem }) => problem !== undefined)).toEqual([false, true, true, true, true, false])
  expect(lines[1]?.problem).toBe('มีคำนี้ในรายการแล้ว')
  expect(lines[3]?.problem).toBe('ซ้ำกับบรรทัดก่อนหน้า')
})

test('assigns server answers to the submitted lines even after they moved', () => {
  const submittedLines = ['กล้อง', 'โครงการ']
  const lines = checkBulkKeywordLines('include', ['(ยา', 'โครงการ', 'ไฟถนน'], [])
  const checkedLines = addServerProblemsToBulkLines(lines, submittedLines, [{ index: 1, message: 'กว้างเกินไป' }])
  expect(checkedLines.map(({ problem }) => problem)).toEqual([lines[0]?.problem, 'กว้างเกินไป', undefined])
})

test('exports lists that import unchanged and contain no spreadsheet formulas', () => {
  const words = ['กล้อง||CCTV', '"กล้อง, ไฟ"', '=1+1', '-ยา']
  const list = words.map((word, index) => buildTestKeyword(index + 1, word))
  expect(splitPastedKeywords('include', formatKeywordList(list))).toEqual(words)
  expect(formatKeywordListCsv(list)).toBe('\uFEFFกล้อง||CCTV\r\n"""กล้อง, ไฟ"""\r\n\'=1+1\r\n\'-ยา\r\n')
  expect(splitPastedKeywords('include', "'=1+1\n'-ยา")).toEqual(['=1+1', '-ยา'])
})
