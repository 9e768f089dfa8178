import fc from 'fast-check'
import { expect, test } from 'vitest'
import { measureCpuMs } from '../../test/processor-time.ts'
import { cleanPastedKeyword, splitPastedKeywords } from './pasted-keywords.ts'

test.each([
  ['one word on a line', 'กล้อง\r\n CCTV \n\n', ['กล้อง', 'CCTV']],
  ['cells of a table', 'กล้อง\tCCTV\nยา\t', ['กล้อง', 'CCTV', 'ยา']],
  ['commas and semicolons between words', 'กล้อง, CCTV,ยา; สว่าน，ไฟ', ['กล้อง', 'CCTV', 'ยา', 'สว่าน', 'ไฟ']],
  ['a comma before a number of three digits', 'รถ,102,สว่าน', ['รถ', '102', 'สว่าน']],
  ['a comma before a longer number', 'รถ,1024', ['รถ', '1024']],
  ['a comma inside a number stays', 'ชุด 1,000 ชิ้น, ยา, ๑๐,๐๐๐ ลิตร', ['ชุด 1,000 ชิ้น', 'ยา', '๑๐,๐๐๐ ลิตร']],
  ['a comma inside quotes stays', '"กล้อง, CCTV", ยา', ['"กล้อง, CCTV"', 'ยา']],
  [
    'bullets',
    '• กล้อง\n●CCTV\n- ยา\n– สว่าน\n* ไฟถนน\n▪ ท่อ • ข้อต่อ',
    ['กล้อง', 'CCTV', 'ยา', 'สว่าน', 'ไฟถนน', 'ท่อ', 'ข้อต่อ'],
  ],
  [
    'numbers of a list',
    '1. กล้อง\n2.CCTV\n๓) ยา\n(4) สว่าน\n5.) ไฟถนน\nก) ท่อ\nข้อ 7 ปั๊ม',
    ['กล้อง', 'CCTV', 'ยา', 'สว่าน', 'ไฟถนน', 'ท่อ', 'ปั๊ม'],
  ],
  [
    'bullets of Word and arrows',
    '\uf0b7 กล้อง\n\uf0a7CCTV\no ยา\n§ สว่าน\n→ ไฟ\n❖ท่อ\n๏ ปั๊ม',
    ['กล้อง', 'CCTV', 'ยา', 'สว่าน', 'ไฟ', 'ท่อ', 'ปั๊ม'],
  ],
  ['emoji of a chat', '✅ กล้อง\n👉🏻CCTV 🔹ยา\n1️⃣ สว่าน\n②ไฟ', ['กล้อง', 'CCTV', 'ยา', 'สว่าน', 'ไฟ']],
  [
    'check boxes, deep numbers, quoted mail',
    '- [ ] กล้อง\n- [x] CCTV\n2.1.1 ยา\n> สว่าน\n๓．ไฟ\nรายการที่ 4 ท่อ',
    ['กล้อง', 'CCTV', 'ยา', 'สว่าน', 'ไฟ', 'ท่อ'],
  ],
  ['a tab behind the marker', '1.\tกล้อง\r\n๒)\tCCTV\n-\tยา\nก.\tสว่าน\tไฟ', ['กล้อง', 'CCTV', 'ยา', 'สว่าน', 'ไฟ']],
  ['invisible characters', '\u200b\u2060\n\ufeffกล้อง\u200b\nซี\u00adซีทีวี', ['กล้อง', 'ซีซีทีวี']],
  ['single quotes', "'กล้อง'\n‘CCTV’", ['กล้อง', 'CCTV']],
  ['half a quote', '“กล้อง\nยา”', ['กล้อง', 'ยา']],
  ['separators at the end', 'กล้อง;\nCCTV ,', ['กล้อง', 'CCTV']],
  ['nothing but breaks', ' \n\t,\n•\n1.\n', ['1.']],
])('%s', (_, text, words) => {
  expect(splitPastedKeywords('include', text)).toEqual(words)
})

test.each([
  '1.5 ตัน',
  '3.5mm',
  '-ยา',
  '=1+1',
  '6"',
  'ท่อ 6”',
  '“กล้อง 10 ตัว”',
  '"กล้อง"',
  '2/2569',
  "O'Neil",
  '(กล้อง||CCTV)',
  '10 kVA',
  '24 ชั่วโมง',
  '6✕4',
  '100 ㎡',
  'o ring',
  '1:100',
])('%s stays unchanged', (word) => {
  expect(cleanPastedKeyword('include', word)).toBe(word)
})

test.each([
  ['1) กล้อง 2) จอ 3) สาย', ['กล้อง', 'จอ', 'สาย']],
  ['๑. กล้อง ๒. จอ', ['กล้อง', 'จอ']],
  ['3. กล้อง 4. จอ', ['กล้อง 4. จอ']],
  ['1. กล้อง 3. จอ', ['กล้อง 3. จอ']],
])('splits a numbered list that a chat joined into one line: %s', (text, words) => {
  expect(splitPastedKeywords('include', text)).toEqual(words)
})

test('strips double quotes in the AI lists', () => {
  expect(splitPastedKeywords('ai_include', '“กล้อง”\n"ยา"\n«ไฟ»')).toEqual(['กล้อง', 'ยา', 'ไฟ'])
})

test('keeps the commas in department names', () => {
  expect(splitPastedKeywords('deptsub_include', '1. สำนักงาน ก, ข\nกรมทางหลวง')).toEqual(['สำนักงาน ก, ข', 'กรมทางหลวง'])
})

test('tidying is idempotent and never throws', () => {
  const typed = fc.string({ unit: fc.constantFrom(...'กค1๒.)( -•*“”"\'‘’,;«»az\n'), maxLength: 14 })
  fc.assert(
    fc.property(typed, (text) => {
      for (const word of splitPastedKeywords('ai_include', text)) expect(word).not.toMatch(/[\n\t]/)
    }),
  )
})

test.each(['“', '1. ', ',', '• ', "'", 'ก)', '1,000,', ' 2) '])('runs in linear time (100,000 × %j)', (unit) => {
  expect(measureCpuMs(() => splitPastedKeywords('include', unit.repeat(100_000)))).toBeLessThan(1500)
})
