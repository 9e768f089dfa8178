import { describe, expect, test } from 'vitest'
import { toNormalisedSearchText } from '#contract/thai/thai-text.ts'
import { findWordBoundaries, isWholeWord, requiresWordBoundaries } from './word-borders.ts'

function isWholeWordIn(term: string, title: string): boolean {
  const text = toNormalisedSearchText(title)
  const at = text.indexOf(term)
  expect(at).toBeGreaterThanOrEqual(0)
  return isWholeWord(text, at, at + term.length)
}

describe('a short term', () => {
  test.each([
    ['ยา', 'ซื้อยาและเวชภัณฑ์'],
    ['ยา', 'ซื้อ ยา จำนวน 10 รายการ'],
    ['รถ', 'จ้างซ่อมรถ 2 คัน'],
    ['cctv', 'ติดตั้งกล้องcctvพร้อมอุปกรณ์'],
    ['ups', 'ซื้อ ups 1 kva'],
    ['led', 'โคมไฟled30w'],
  ])('%s is a separate word in %s', (term, title) => {
    expect(isWholeWordIn(term, title)).toBe(true)
  })

  test.each([
    ['ยา', 'ซื้อยางรถยนต์'],
    ['ยา', 'ถนนยาว 200 เมตร'],
    ['ups', 'ซื้อ backups จำนวน 1 ชุด'],
    ['led', 'ซื้อ ledger'],
  ])('%s is part of another word in %s', (term, title) => {
    expect(isWholeWordIn(term, title)).toBe(false)
  })

  test('needs borders, a long one does not', () => {
    expect(requiresWordBoundaries('โดรน')).toBe(true)
    expect(requiresWordBoundaries('วงจรปิด')).toBe(false)
  })
})

test('alternating between two titles returns the right result for each', () => {
  for (let round = 0; round < 3; round += 1) {
    expect(isWholeWordIn('ยา', 'ซื้อยาและเวชภัณฑ์')).toBe(true)
    expect(isWholeWordIn('ยา', 'ซื้อยางรถยนต์')).toBe(false)
  }
})

test.each([
  'ซื้อยาและเวชภัณฑ์ 10 รายการ',
  'ติดตั้งกล้องcctvพร้อมอุปกรณ์ ups 1kva',
  'จ้างก่อสร้างถนน คสล. สาย 3 – บ้านหนองบัว (ระยะที่ 2)',
  'โคมไฟled30w 🚦 éclair',
  'ซื้อยา๑๐ขวด(ยางรถยนต์)a่กฯลฯ ๆ ราคา฿๒๐บาท',
  // Their borders depend on more than 20 of the characters that follow.
  'จ้างเหมาจัดทำสื่อประชาสัมพันธ์ป้ายสัญลักษณ์และปรับปรุงบอร์ดข้อมูลเทศบาลเมืองคลองโยงจำนวน',
  'ซื้อครุภัณฑ์คอมพิวเตอร์อิเล็กทรอนิกส์รายการเครื่องคอมพิวเตอร์สำหรับงานประมวลผลแบบที่',
])('the words of %s are those between its borders', (title) => {
  const borders = findWordBoundaries(title)
  for (let start = 0; start < title.length; start += 1)
    for (let end = start + 1; end <= title.length; end += 1)
      expect(isWholeWord(title, start, end), title.slice(start, end)).toBe(borders[start] === 1 && borders[end] === 1)
})
