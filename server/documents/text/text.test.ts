import { expect, test } from 'vitest'
import { assemblePdfTextLines, type PdfTextPiece, toUprightPosition } from './assemble-pdf-text-lines.ts'
import { countThaiLetters, repairThaiMarks } from './thai-marks.ts'

const at = (x: number, y: number, text: string, width = text.length * 5, height = 16): PdfTextPiece => ({
  text,
  turn: 0,
  x,
  y,
  width,
  height,
})

test('places filled-in text where it appears, although the file draws it after the printed words', () => {
  const pieces = [
    at(0, 100, 'ในวันที่'),
    at(100, 100, 'ระหว่างเวลา'),
    at(200, 100, 'น. ถึง'),
    at(50, 100.5, '๘ มิ.ย.', 40),
    at(170, 99, '๑๓.๐๐', 25),
  ]
  expect(assemblePdfTextLines(pieces)).toBe('ในวันที่ ๘ มิ.ย. ระหว่างเวลา ๑๓.๐๐ น. ถึง')
})

test('orders lines down the page, joins touching pieces and drops blank ones', () => {
  const pieces = [
    at(0, 80, 'สอง'),
    at(0, 100, 'หนึ่ง', 20),
    at(22, 100, 'คำ'),
    at(60, 100, '  '),
    at(0, 60, ''),
    at(40, 74.5, 'ยก'),
  ]
  // A gap of 2 is below 0.18 × 16, so it is no space; an offset of 5.5 is within 0.35 × 16, so it is on the same line.
  expect(assemblePdfTextLines(pieces)).toBe('หนึ่งคำ\nสอง ยก')
  expect(assemblePdfTextLines([])).toBe('')
})

test('reads a rotated page in its direction, with text at an angle to it last', () => {
  // The page is rotated to the left: lines run up the page and the first line is leftmost.
  const turned = (x: number, y: number, text: string) => ({
    ...at(0, 0, text),
    ...toUprightPosition([0, 14, -14, 0, x, y]),
  })
  const pieces = [turned(130, 40, 'ถัดไป'), turned(100, 200, 'ราคากลาง'), turned(100, 40, 'ลำดับ'), at(10, 10, 'ตรา')]
  expect(assemblePdfTextLines(pieces)).toBe('ลำดับ ราคากลาง\nถัดไป\nตรา')
  expect([
    toUprightPosition([1, 0, 0, 1, 3, 4]),
    toUprightPosition([-1, 0, 0, -1, 3, 4]),
    toUprightPosition([0, -1, 1, 0, 3, 4]),
  ]).toEqual([
    { x: 3, y: 4, turn: 0 },
    { x: -3, y: -4, turn: 2 },
    { x: -4, y: 3, turn: 3 },
  ])
})

test('drops a line that consists only of marks', () => {
  expect(assemblePdfTextLines([at(0, 100, 'ครง'), at(10, 112, '\u0e31\u0e49')])).toBe('ครง')
})

test.each([
  ['shapes of old fonts', 'ท\uf70aี\uf70b ป\uf71a ก\uf710', 'ที่้ ปฺ กั'],
  ['zero-width blanks and soft hyphens', 'ก\u200bข\u200cค\u200dง\ufeffจ\u00adฉ', 'กขคงจฉ'],
  ['sara am in two parts', 'ก\u0e4d\u0e32หนด น\u0e4d\u0e49\u0e32', 'กำหนด น้ำ'],
  ['a blank before sara am', 'ก ำหนด', 'กำหนด'],
  ['a mark twice', 'ที่่ สูู', 'ที่ สู'],
  ['a tone before its vowel', 'ท\u0e48\u0e35', 'ที่'],
  ['a blank before a mark', 'ท \u0e35\u0e48', 'ที่'],
  ['sara e twice', 'เเม่น้ำ', 'แม่น้ำ'],
  ['control characters and blanks of other widths', 'a\u0000b\u00a0c\u2003d\ne', 'a b c d\ne'],
  ['half of a pair', 'a\ud800b', 'ab'],
])('%s', (_name, text, mended) => {
  expect(repairThaiMarks(text)).toBe(mended)
})

test('keeps digits as written and counts only Thai letters', () => {
  expect(repairThaiMarks('๒0 ๑,๕๐๐')).toBe('๒0 ๑,๕๐๐')
  expect(countThaiLetters('กข 12 ab ๑')).toBe(3)
})
