import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatThaiDate, formatThaiDateShort } from './thai-date.ts'
import { parseThaiDate } from './thai-date-entry.ts'

const TODAY = '2026-11-21'

function read(text: string): string {
  const entry = parseThaiDate(text, TODAY)
  return entry.ok ? (entry.bound === entry.iso ? entry.iso : `${entry.iso} ${entry.bound}`) : entry.code
}

describe('typed dates', () => {
  it.each([
    ['29/02/2567', '2024-02-29'],
    ['1/2/2567', '2024-02-01'],
    ['1/2/67', '2024-02-01'],
    ['1/2/2024', '2024-02-01'],
    ['1-2-2567', '2024-02-01'],
    ['1.2.2567', '2024-02-01'],
    ['1 2 2567', '2024-02-01'],
    ['01 / 02 / 2567', '2024-02-01'],
    ['2024-02-29', '2024-02-29'],
    ['2567-02-29', '2024-02-29'],
    ['2024/2/9', '2024-02-09'],
    ['๒๙/๐๒/๒๕๖๗', '2024-02-29'],
    ['7 ก.พ. 68', '2025-02-07'],
    ['7 กพ 68', '2025-02-07'],
    ['7ก.พ.68', '2025-02-07'],
    ['7 กุมภาพันธ์ 2568', '2025-02-07'],
    ['7 กุมภา 2568', '2025-02-07'],
    ['วันที่ ๗ มีนาคม พ.ศ. ๒๕๖๙', '2026-03-07'],
    ['7 มี.ค. ค.ศ. 2026', '2026-03-07'],
    ['7 เม.ย. 2026', '2026-04-07'],
    ['31 ธ.ค. 2568', '2025-12-31'],
    ['วันนี้', '2026-11-21 @0'],
    ['พรุ่งนี้', '2026-11-22 @1'],
    ['มะรืนนี้', '2026-11-23 @2'],
    ['เมื่อวาน', '2026-11-20 @-1'],
    ['อีก 7 วัน', '2026-11-28 @7'],
    ['อีก๗วัน', '2026-11-28 @7'],
    ['อีก 2 สัปดาห์', '2026-12-05 @14'],
    ['อีก 3 เดือน', '2027-02-21'],
    ['7 วันที่แล้ว', '2026-11-14 @-7'],
    ['7 วันก่อน', '2026-11-14 @-7'],
    ['1 ปีที่แล้ว', '2025-11-21'],
  ])('%s reads as %s', (text, understood) => {
    expect(read(text)).toBe(understood)
  })
})

describe('invalid dates', () => {
  it.each([
    ['29/02/2564', 'E_DAY'],
    ['31/4/2568', 'E_DAY'],
    ['0/4/2568', 'E_DAY'],
    ['1/13/2568', 'E_MONTH'],
    ['1/0/2568', 'E_MONTH'],
    ['1/1/1850', 'E_YEAR'],
    ['1/1/2420', 'E_YEAR'],
    ['1/1/3000', 'E_YEAR'],
    ['1/1/2567 ค.ศ.', 'E_YEAR'],
    ['อีก 9999 ปี', 'E_YEAR'],
    ['', 'E_EMPTY'],
    ['  ', 'E_EMPTY'],
    ['1/2', 'E_FORMAT'],
    ['1/2/256', 'E_FORMAT'],
    ['1/2/25677', 'E_FORMAT'],
    ['7 xx 68', 'E_FORMAT'],
    ['เร็วๆ นี้', 'E_FORMAT'],
    ['7'.repeat(1000), 'E_FORMAT'],
  ])('%s: %s', (text, code) => {
    expect(read(text)).toBe(code)
  })

  it('explain the problem in Thai', () => {
    expect(parseThaiDate('29/02/2564', TODAY)).toMatchObject({ message: 'ไม่มีวันที่ 29: กุมภาพันธ์ 2564 มี 28 วัน' })
    expect(parseThaiDate('1/13/2568', TODAY)).toMatchObject({ message: 'ไม่มีเดือนที่ 13' })
  })
})

it('reads the printed format', () => {
  const iso = fc
    .date({ min: new Date('1957-01-01T00:00:00Z'), max: new Date('2390-12-31T00:00:00Z'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10))
  fc.assert(
    fc.property(iso, (date) => {
      expect(read(formatThaiDate(date))).toBe(date)
      expect(read(formatThaiDateShort(date))).toBe(date)
      expect(read(date)).toBe(date)
    }),
  )
})

it('never throws', () => {
  const parts = fc.string({
    unit: fc.constantFrom('1', '29', '2567', '/', '-', '.', ' ', 'ก.พ.', 'อีก', 'วัน', 'เดือน', 'ที่แล้ว', '๙', 'พ.ศ.'),
    maxLength: 10,
  })
  fc.assert(
    fc.property(fc.oneof(parts, fc.string({ unit: 'binary' })), (text) => {
      const entry = parseThaiDate(text, TODAY)
      if (!entry.ok) expect(entry.message).not.toBe('')
    }),
    { numRuns: 5000 },
  )
})
