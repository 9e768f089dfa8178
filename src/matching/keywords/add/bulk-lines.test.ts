import { expect, test } from 'vitest'
import { splitPastedWords } from '#contract/matching/pasted-words.ts'
import { keywordForTests } from '#src/matching/api/organisation-for-tests.ts'
import { listCsv, listText } from '#src/matching/keywords/keyword-card.tsx'
import { checkLines, withAnswers } from './bulk-lines.ts'

test('each line is told what is wrong with it: the grammar, what is there, what stands twice', () => {
  const lines = checkLines('include', ['กล้อง', 'CC TV', '(ยา', 'กล้อง ', 'ก', 'ไฟถนน'], [keywordForTests(1, 'cc tv')])
  expect(lines.map(({ problem }) => problem !== undefined)).toEqual([false, true, true, true, true, false])
  expect(lines[1]?.problem).toBe('มีคำนี้ในรายการแล้ว')
  expect(lines[3]?.problem).toBe('ซ้ำกับบรรทัดก่อนหน้า')
})

test('the answers of the server belong to the lines it was asked about, wherever they stand now', () => {
  const asked = ['กล้อง', 'โครงการ']
  const lines = checkLines('include', ['(ยา', 'โครงการ', 'ไฟถนน'], [])
  const told = withAnswers(lines, asked, [{ index: 1, message: 'กว้างเกินไป' }])
  expect(told.map(({ problem }) => problem)).toEqual([lines[0]?.problem, 'กว้างเกินไป', undefined])
})

test('what is exported is read again as the same words, and runs as no formula', () => {
  const words = ['กล้อง||CCTV', '"กล้อง, ไฟ"', '=1+1', '-ยา']
  const list = words.map((word, index) => keywordForTests(index + 1, word))
  expect(splitPastedWords('include', listText(list))).toEqual(words)
  expect(listCsv(list)).toBe('\uFEFFกล้อง||CCTV\r\n"""กล้อง, ไฟ"""\r\n\'=1+1\r\n\'-ยา\r\n')
  expect(splitPastedWords('include', "'=1+1\n'-ยา")).toEqual(['=1+1', '-ยา'])
})
