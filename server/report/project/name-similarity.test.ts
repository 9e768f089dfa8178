import { expect, test } from 'vitest'
import { computeNameSimilarity, computeNumberSimilarity, toComparableName } from './name-similarity.ts'

const compare = (a: string, b: string) => {
  const [first, second] = [toComparableName(a), toComparableName(b)]
  return {
    letters: computeNameSimilarity(first, second),
    numbers: computeNumberSimilarity(first.numbers, second.numbers),
  }
}

test('a second attempt has the same name, even in Thai digits', () => {
  const name = 'ประกวดราคาซื้อกล้องวงจรปิด จำนวน ๕๔ ชุด เทศบาลเมืองตัวอย่าง ด้วยวิธีประกวดราคาอิเล็กทรอนิกส์ (e-bidding)'
  const again = 'ประกวดราคาซื้อกล้องวงจรปิด จำนวน 54 ชุด เทศบาลเมืองตัวอย่าง (ครั้งที่ ๒) ด้วยวิธีประกวดราคาอิเล็กทรอนิกส์ (e-bidding)'
  expect(compare(name, again)).toEqual({ letters: 1, numbers: 1 })
})

test('the same service of another year has the same name', () => {
  const { letters, numbers } = compare(
    'ประกวดราคาจ้างจ้างเหมาบริการงานการแพทย์ฉุกเฉินเบื้องต้น ประจำปีงบประมาณ 2567 ด้วยวิธีประกวดราคาอิเล็กทรอนิกส์ (e-bidding)',
    'จ้างเหมาบริการงานการแพทย์ฉุกเฉินเบื้องต้น ประจำปีงบประมาณ พ.ศ. ๒๕๖๙ โดยวิธีคัดเลือก',
  )
  expect(letters).toBeGreaterThan(0.9)
  expect(numbers).toBe(1)
})

test('two houses in one yard match in letters but not in numbers', () => {
  const { letters, numbers } = compare(
    'จ้างก่อสร้างปรับปรุงโรงผลิตขยายศัตรูธรรมชาติ (อาคารผลิต 1) ศูนย์ส่งเสริมเทคโนโลยีการเกษตร จังหวัดสุพรรณบุรี',
    'จ้างก่อสร้างปรับปรุงโรงผลิตขยายศัตรูธรรมชาติ (อาคารผลิต 2) ศูนย์ส่งเสริมเทคโนโลยีการเกษตร จังหวัดสุพรรณบุรี',
  )
  expect(letters).toBeGreaterThan(0.94)
  expect(numbers).toBe(0)
})

test('the same road in two villages has different names', () => {
  const { letters } = compare(
    'ประกวดราคาจ้างก่อสร้างก่อสร้างท่อระบายน้ำคอนกรีตเสริมเหล็ก บ้านสันติสุข ตำบลพิชัย อำเภอเมืองลำปาง จังหวัดลำปาง',
    'ประกวดราคาจ้างก่อสร้างก่อสร้างท่อระบายน้ำคอนกรีตเสริมเหล็ก บ้านใหม่พัฒนา ตำบลพิชัย อำเภอเมืองลำปาง จังหวัดลำปาง',
  )
  expect(letters).toBeLessThan(0.93)
})

test('names with fewer than three letters match nothing', () => {
  expect(compare('', '')).toEqual({ letters: 0, numbers: 1 })
})

test('ignores how many pieces another year buys', () => {
  const [small, large] = [
    toComparableName('ซื้อยางรถยนต์ ขนาด 16 นิ้ว จำนวน 4 เส้น'),
    toComparableName('ซื้อยางรถยนต์ ขนาด 16 นิ้ว จำนวน 12 เส้น'),
  ]
  expect(computeNumberSimilarity(small.numbers, large.numbers)).toBe(0.5)
  expect(computeNumberSimilarity(small.lasting, large.lasting)).toBe(1)
})
