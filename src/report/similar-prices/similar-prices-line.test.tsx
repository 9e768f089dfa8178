import { expect, test } from 'vitest'
import { priceLineText } from './similar-prices-line.tsx'

test.each([
  [
    { no_band_reason: null, n: 158, band: { low: 0.004, high: 0.098, n: 158, basis: 'similar' } },
    '8 ใน 10 งานคล้ายกันชนะที่ส่วนลด 0.4% – 9.8% จาก 158 งาน',
  ],
  [
    { no_band_reason: null, n: 2, band: { low: -0.01, high: 0.05, n: 25, basis: 'agency' } },
    '8 ใน 10 งานประเภทเดียวกันของหน่วยงานนี้ชนะที่ส่วนลด −1.0% – 5.0% จาก 25 งาน',
  ],
  [{ no_band_reason: 'too_few', n: 8, band: null }, 'งานคล้ายกันที่รู้ราคามีเพียง 8 งาน น้อยเกินไปที่จะบอกช่วงส่วนลด'],
  [{ no_band_reason: 'too_few', n: 0, band: null }, 'ยังไม่มีงานคล้ายกันที่ประกาศผลและมีราคากลาง'],
  [{ no_band_reason: 'name_without_words', n: 0, band: null }, 'ชื่อโครงการบอกไม่พอว่าซื้ออะไร จึงหางานที่คล้ายกันไม่ได้'],
] as const)('%o reads %s', (prices, text) => {
  expect(priceLineText(prices)).toBe(text)
})
