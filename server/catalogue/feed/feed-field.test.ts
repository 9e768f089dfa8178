import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseFeedDate } from './feed-date.ts'
import { FeedFieldError, parseDateCell, parseFiscalYearCell, parseMoneyCell, parseTextCell } from './feed-field.ts'

describe('dates in every spelling of the sources', () => {
  test.each([
    ['7 ก.พ. 68', '2025-02-07'],
    ['12 พ.ย. 67', '2024-11-12'],
    ['29 ก.พ. 2567', '2024-02-29'],
    ['๗ กุมภาพันธ์ ๒๕๖๘', '2025-02-07'],
    ['2025-02-07', '2025-02-07'],
    ['2568-02-07', '2025-02-07'],
    ['07/02/2568', '2025-02-07'],
    ['7/2/68', '2025-02-07'],
    ['2025-02-07T00:00:00', '2025-02-07'],
    // 18:30 UTC is the next day in Bangkok.
    ['2025-02-07T18:30:00Z', '2025-02-08'],
    ['2025-02-07T00:00:00+07:00', '2025-02-07'],
  ])('%s is %s', (text, iso) => {
    expect(parseFeedDate(text)).toBe(iso)
  })

  test.each([
    '29 ก.พ. 68',
    '31/04/2568',
    '2025-13-01',
    '7 กพ 68x',
    'ระหว่างดำเนินการ',
    '22/2568',
    '',
    '0000-00-00',
    '9999-01-01',
  ])('%s is not a date', (text) => {
    expect(parseFeedDate(text)).toBeUndefined()
  })

  test('an unreadable date reports its column and value', () => {
    expect(() => parseDateCell('31 ก.พ. 68', 'วันที่ประกาศ')).toThrow(
      new FeedFieldError('วันที่ประกาศ: อ่านวันที่ "31 ก.พ. 68" ไม่ได้'),
    )
  })

  test('every real day round-trips through its Buddhist spelling', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('1990-01-01'), max: new Date('2060-12-31'), noInvalidDate: true }),
        (date) => {
          const iso = date.toISOString().slice(0, 10)
          const [year, month, day] = iso.split('-').map(Number)
          expect(parseFeedDate(`${day}/${month}/${year! + 543}`)).toBe(iso)
          expect(parseFeedDate(iso)).toBe(iso)
        },
      ),
    )
  })
})

describe('amounts', () => {
  test.each([
    ['1308608.32', 130_860_832],
    ['1,308,608.32', 130_860_832],
    ['๑๒,๐๐๐ บาท', 1_200_000],
    ['0', 0],
    [' 24450000 ', 2_445_000_000],
    ['1995600.1', 199_560_010],
    ['10.005', 1_001],
    ['100000000000', 10_000_000_000_000],
  ])('%s baht is %i satang', (text, satang) => {
    expect(parseMoneyCell(text, 'งบ')).toBe(satang)
  })

  test.each(['-5', '1.2.3', 'ไม่มี', '1e9', '999999999999999', 'NaN'])('rejects %s', (text) => {
    expect(() => parseMoneyCell(text, 'งบ')).toThrow(FeedFieldError)
  })

  test('is exact to the satang for every amount with two decimals', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10_000_000_000 }), fc.integer({ min: 0, max: 99 }), (baht, satang) => {
        expect(parseMoneyCell(`${baht}.${String(satang).padStart(2, '0')}`, 'งบ')).toBe(baht * 100 + satang)
      }),
    )
  })
})

test('an empty cell is unknown, a dash means none', () => {
  expect([
    parseTextCell(''),
    parseTextCell('  '),
    parseTextCell(null),
    parseTextCell('-'),
    parseTextCell('ก  ข\u200b'),
  ]).toEqual([undefined, undefined, undefined, null, 'ก ข'])
})

test('reads a fiscal year as Buddhist in either era', () => {
  expect([parseFiscalYearCell('2568'), parseFiscalYearCell('2025'), parseFiscalYearCell('๒๕๖๘')]).toEqual([
    2568, 2568, 2568,
  ])
  expect(() => parseFiscalYearCell('68')).toThrow(FeedFieldError)
})
