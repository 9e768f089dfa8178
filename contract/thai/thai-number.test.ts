import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatBaht, formatBahtCompact, groupDigits, parseThaiMoney } from './thai-number.ts'

function read(text: string): number | string {
  const entry = parseThaiMoney(text)
  return entry.ok ? entry.baht : entry.code
}

describe('typed amounts', () => {
  it.each([
    ['1,000,000', 1_000_000],
    ['1000000', 1_000_000],
    ['1,234.50', 1234.5],
    ['0', 0],
    ['0.01', 0.01],
    ['5 ล้าน', 5_000_000],
    ['5ล้านบาท', 5_000_000],
    ['1.2 พันล้าน', 1_200_000_000],
    ['5 แสน', 500_000],
    ['3 หมื่น', 30_000],
    ['2.5 พัน', 2500],
    ['๕ แสนบาท', 500_000],
    ['๑,๒๐๐', 1200],
    ['1 ล้าน 5 แสน', 1_500_000],
    ['1 ล้าน 500,000', 1_500_000],
    ['10 ล้านล้าน', 10_000_000_000_000],
    ['1.5 หมื่นล้าน', 15_000_000_000],
    ['12.5 ลบ.', 12_500_000],
    ['฿5,000', 5000],
    ['5,000.-', 5000],
    ['5,000 บาทถ้วน', 5000],
    ['1.23456789 ล้าน', 1_234_567.89],
    ['0.29', 0.29],
  ])('%s reads as %d', (text, baht) => {
    expect(read(text)).toBe(baht)
  })
})

describe('invalid amounts', () => {
  it.each([
    ['', 'E_EMPTY'],
    ['บาท', 'E_EMPTY'],
    ['ล้าน', 'E_FORMAT'],
    ['abc', 'E_FORMAT'],
    ['-5', 'E_FORMAT'],
    ['1,00', 'E_FORMAT'],
    ['1,0000', 'E_FORMAT'],
    ['1.2.3', 'E_FORMAT'],
    ['1e6', 'E_FORMAT'],
    ['5 ล้าน 5 ล้าน', 'E_FORMAT'],
    ['5 แสน 1 ล้าน', 'E_FORMAT'],
    ['5 ล้าน บาท 3', 'E_FORMAT'],
    ['0.001', 'E_PRECISION'],
    ['1.23456789 แสน', 'E_PRECISION'],
    ['11 ล้านล้าน', 'E_RANGE'],
    ['ล้าน'.repeat(10), 'E_FORMAT'],
    [`1${'ล้าน'.repeat(10)}`, 'E_RANGE'],
    ['9'.repeat(100_000), 'E_FORMAT'],
  ])('%s: %s', (text, code) => {
    expect(read(text)).toBe(code)
  })
})

it('prints amounts (D23)', () => {
  expect(formatBaht(12_500_000)).toBe('12,500,000.00')
  expect(formatBaht(0)).toBe('0.00')
  expect(formatBaht(-1234.5)).toBe('-1,234.50')
  expect(formatBaht(null)).toBe('–')
})

it.each([
  [12_500_000, '12.50 ล้าน'],
  [1_000_000, '1.00 ล้าน'],
  [999_999.49, '999,999'],
  [999_999.5, '1.00 ล้าน'],
  [850_000, '850,000'],
  [0, '0'],
  [1_200_000_000, '1,200.00 ล้าน'],
  [999_999_994_000, '999,999.99 ล้าน'],
  [999_999_999_999, '1.00 ล้านล้าน'],
  [1_234_000_000_000, '1.23 ล้านล้าน'],
  [-12_500_000, '-12.50 ล้าน'],
  [null, '–'],
])('prints %s compactly as %s', (baht, text) => {
  expect(formatBahtCompact(baht)).toBe(text)
})

it('reads its own output, to the satang', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1_000_000_000_000_000 }), (satang) => {
      expect(read(formatBaht(satang / 100))).toBe(satang / 100)
    }),
  )
})

it('groups and rounds digits like Intl.NumberFormat', () => {
  const formats = [
    [0, 0],
    [1, 1],
    [2, 2],
    [0, 1],
    [0, 2],
    [0, 3],
  ].map(([minDigits, maxDigits]) => ({
    least: minDigits!,
    most: maxDigits!,
    intl: new Intl.NumberFormat('en-US', { minimumFractionDigits: minDigits!, maximumFractionDigits: maxDigits! }),
  }))
  fc.assert(
    fc.property(
      fc.oneof(
        fc.integer({ min: -1e13, max: 1e13 }).map((n) => n / 100),
        fc.integer({ min: -10_000_000, max: 10_000_000 }).map((n) => n / 1000),
      ),
      fc.constantFrom(...formats),
      (value, { least: minDigits, most: maxDigits, intl }) => {
        // Intl prints a minus sign for negative values that round to zero.
        expect(groupDigits(value, minDigits, maxDigits).replace(/^-(?=[0.]*$)/, '')).toBe(
          intl.format(value).replace(/^-(?=[0.]*$)/, ''),
        )
      },
    ),
    { numRuns: 3000 },
  )
})

it('never throws', () => {
  const parts = fc.string({
    unit: fc.constantFrom('1', '0', '.', ',', ' ', 'ล้าน', 'แสน', 'บาท', '-', '๕', 'x', '฿'),
    maxLength: 12,
  })
  fc.assert(
    fc.property(fc.oneof(parts, fc.string({ unit: 'binary' })), (text) => {
      const entry = parseThaiMoney(text)
      if (entry.ok) expect(Number.isSafeInteger(Math.round(entry.baht * 100))).toBe(true)
      else expect(entry.message).not.toBe('')
    }),
    { numRuns: 5000 },
  )
})
