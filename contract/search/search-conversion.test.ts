import fc from 'fast-check'
import { expect, it } from 'vitest'
import { splitPastedProjectIds, suggestSearchConversion } from './search-conversion.ts'
import { parseSearchExpression } from './search-grammar.ts'

it.each([
  ['กล้อง AND CCTV', 'กล้อง##CCTV', ['AND']],
  ['กล้อง OR CCTV -ซ่อม', 'กล้อง||CCTV<<ซ่อม', ['OR', '-']],
  ['กล้อง|CCTV', 'กล้อง||CCTV', ['|']],
  ['กล้อง | CCTV', 'กล้อง||CCTV', ['|']],
  ['C# | .NET', 'C#||.NET', ['|']],
  ['กล้อง NOT ซ่อม', 'กล้อง<<ซ่อม', ['NOT']],
  ['กล้อง AND NOT ซ่อม', 'กล้อง<<ซ่อม', ['AND', 'NOT']],
  ['-ซ่อม', '<<ซ่อม', ['-']],
  ['กล้อง -ซ่อม วงจรปิด', 'กล้อง วงจรปิด<<ซ่อม', ['-']],
  ['(กล้อง -ซ่อม) OR CCTV', '(กล้อง<<ซ่อม)||CCTV', ['-', 'OR']],
  ['กล้อง||CCTV -ซ่อม', 'กล้อง||CCTV<<ซ่อม', ['-']],
  ['"a  AND b" OR cc', '"a  AND b"||cc', ['OR']],
  ['กล้อง หรือ CCTV', 'กล้อง||CCTV', ['หรือ']],
  ['กล้อง และ ติดตั้ง ยกเว้น ซ่อม', 'กล้อง##ติดตั้ง<<ซ่อม', ['และ', 'ยกเว้น']],
  ['กล้อง && ติดตั้ง', 'กล้อง##ติดตั้ง', ['&&']],
  ['กล้อง&lt;&lt;ซ่อม', 'กล้อง<<ซ่อม', ['&lt;']],
  ['กล้อง%23%23ติดตั้ง%7C%7CCCTV', 'กล้อง##ติดตั้ง||CCTV', ['&lt;']],
  ['กล้อง«ซ่อม', 'กล้อง<<ซ่อม', ['«']],
])('%s offers %s', (text, expression, operators) => {
  expect(suggestSearchConversion(text)).toEqual({ expression, found: operators })
})

it.each([
  'กล้องวงจรปิด',
  'e-bidding',
  'A - B',
  'ระยะ 5-10 เมตร',
  'Research and Development',
  'ซ่อมแซมหรือปรับปรุง',
  'ลด 50% ราคา 23',
  'A&B',
  '«กล้อง»',
  'ANDROID',
  'กล้อง AND',
  'กล้อง OR NOT ซ่อม',
  '"a OR b"',
  'กล้อง\\|CCTV',
  'กล้อง||CCTV',
  'จอ (19 นิ้ว) OR LED',
  '',
  `กล้อง OR ${'ก'.repeat(500)}`,
])('%s offers nothing', (text) => {
  expect(suggestSearchConversion(text)).toBeNull()
})

it('offers only valid expressions, without duplicates', () => {
  const typed = fc.string({
    unit: fc.constantFrom(
      'กล้อง',
      'CCTV',
      ' ',
      ' AND ',
      ' OR ',
      ' NOT ',
      '|',
      ' -',
      '"',
      '\\',
      '(',
      ')',
      '##',
      '<<',
      '#',
      '<',
    ),
    maxLength: 10,
  })
  fc.assert(
    fc.property(typed, (text) => {
      const offer = suggestSearchConversion(text)
      if (offer === null) return
      expect(parseSearchExpression(offer.expression).ok).toBe(true)
      expect(offer.found.length).toBeGreaterThan(0)
    }),
    { numRuns: 5000 },
  )
})

it('splits pasted project numbers by lines, commas and blanks, without duplicates', () => {
  expect(splitPastedProjectIds(' 67099\n67100,67101;67102\t67099 || 67103 ')).toEqual([
    '67099',
    '67100',
    '67101',
    '67102',
    '67103',
  ])
  expect(splitPastedProjectIds(' \n')).toEqual([])
  expect(splitPastedProjectIds("- ๖๙๑๑๙๙๐๒๐๐๑\n2. 69119902002.0\n•\u200b '69119902003、(69119902004)")).toEqual(
    ['1', '2', '3', '4'].map((last) => `6911990200${last}`),
  )
})
