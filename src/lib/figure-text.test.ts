import { expect, test } from 'vitest'
import { formatKnownBaht, formatMillionsOfBaht, formatPercent, moneyRangeText, shortMoneyText } from './figure-text.ts'

test('short money uses only ล้าน and ล้านล้าน', () => {
  expect(shortMoneyText(500_000)).toBe('500,000')
  expect(shortMoneyText(12_500_000)).toBe('12.5 ล้าน')
  expect(shortMoneyText(10_000_000_000)).toBe('10,000 ล้าน')
  expect(shortMoneyText(1_200_000_000_000)).toBe('1.2 ล้านล้าน')
})

test('a range writes a shared unit once and an open side in words', () => {
  expect(moneyRangeText({ min: 1_000_000, max: 50_000_000 })).toBe('1–50 ล้าน')
  expect(moneyRangeText({ min: 500_000, max: 2_000_000 })).toBe('500,000–2 ล้าน')
  expect(moneyRangeText({ min: 500_000, max: null })).toBe('ตั้งแต่ 500,000')
  expect(moneyRangeText({ min: null, max: 50_000_000 })).toBe('ไม่เกิน 50 ล้าน')
  // A histogram bin starts one satang above its lower bound.
  expect(moneyRangeText({ min: 180_000.01, max: 320_000 })).toBe('เกิน 180,000 ถึง 320,000')
  expect(moneyRangeText({ min: 1_000_000.01, max: 1_800_000 })).toBe('เกิน 1 ถึง 1.8 ล้าน')
  expect(moneyRangeText({ min: 560_000.01, max: 1_000_000 })).toBe('เกิน 560,000 ถึง 1 ล้าน')
  expect(moneyRangeText({ min: 32_000_000.01, max: null })).toBe('เกิน 32 ล้าน')
  expect(moneyRangeText({ min: 180_000.5, max: 320_000 })).toBe('180,000.5–320,000')
})

test('totals are in millions and shares in percent, both with one decimal', () => {
  expect(formatMillionsOfBaht(14_208_600_000)).toBe('14,208.6')
  expect(formatPercent(0.0834)).toBe('8.3%')
})

test('a known value has its unit, and an unknown one is not zero', () => {
  expect(formatKnownBaht(1_250_000)).toBe('1.25 ล้าน บาท')
  expect(formatKnownBaht(0)).toBe('0 บาท')
  expect(formatKnownBaht(null)).toBe('ไม่ทราบมูลค่า')
})

test('rounds shares like Intl.NumberFormat', () => {
  const intl = new Intl.NumberFormat('th-TH', {
    style: 'percent',
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
  })
  for (let step = -20_000; step <= 20_000; step += 1)
    if (step !== 0) expect(formatPercent(step / 20_000)).toBe(intl.format(step / 20_000))
})
