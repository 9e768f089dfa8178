import { describe, expect, test } from 'vitest'
import { type FoundObservation, findDraftObservations } from './find-draft-observations.ts'

const MILLION = 1_000_000
const find = (text: string, budget: number | null = 10 * MILLION, method_type = 'buy') =>
  findDraftObservations(['หน้าปก', text], { budget, method_type }, async () => undefined)
const kinds = (observations: readonly FoundObservation[]) => observations.map(({ kind }) => kind)

describe('brands', () => {
  test.each(['4.2 เครื่องพิมพ์ต้องเป็นยี่ห้อ Canon', '4.2 ใช้เครื่องหมายการค้า “HIKVISION” ทุกจุด', '๔.๒ กล้องยี่หอ้ Bosch จำนวน ๑๐ ตัว'])(
    'names one: %s',
    async (text) => {
      const [observation, ...others] = await find(text)
      expect(others).toEqual([])
      expect(observation).toMatchObject({ kind: 'brand', page: 2, sentence: text })
    },
  )

  test('quotes the name as printed and cites section 9', async () => {
    const [observation] = await find('เครื่องพิมพ์ต้องเป็นยี่ห้อ Canon LBP')
    for (const part of ['“Canon”', 'เทียบเท่า', 'ม. 9)']) expect(observation?.text).toContain(part)
  })

  test.each([
    'เครื่องพิมพ์ยี่ห้อ Canon หรือเทียบเท่า',
    'ผู้เสนอราคาต้องระบุยี่ห้อ รุ่น และประเทศที่ผลิต',
    'จัดหาอะไหล่แท้ยี่ห้อ Hino สำหรับรถบรรทุก',
    'ต้องเชื่อมต่อกับระบบเดิมยี่ห้อ Cisco ได้',
    'อุปกรณ์ทุกชิ้นต้องเป็นยี่ห้อเดียวกัน',
    'ไม่กำหนดยี่ห้อ',
  ])('accepts others or is no requirement: %s', async (text) => {
    expect(await find(text)).toEqual([])
  })
})

describe('fixed specifications', () => {
  test.each(['จอภาพขนาด 23.8 นิ้ว เท่านั้น', 'เป็นผลิตภัณฑ์ที่ผลิตจากประเทศญี่ปุ่น', 'ผลิตในทวีปยุโรป'])('%s', async (text) => {
    expect(kinds(await find(text))).toEqual(['fixed_specification'])
  })
  test.each([
    'จอภาพขนาดไม่น้อยกว่า 23 นิ้ว เท่านั้น',
    'ขนาด 20 ถึง 30 นิ้ว เท่านั้น',
    'ยื่นข้อเสนอผ่านระบบ e-GP เท่านั้น',
    'ผลิตจากประเทศญี่ปุ่น หรือเทียบเท่า',
    'พัสดุที่ผลิตในประเทศไทย',
    'พัสดุที่ผลิตภายในประเทศ',
  ])('not: %s', async (text) => {
    expect(await find(text)).toEqual([])
  })
})

describe('past work above half of the budget', () => {
  const clause = 'ผู้ยื่นข้อเสนอต้องมีผลงานประเภทเดียวกันในวงเงินไม่น้อยกว่า 6,000,000 บาท (หกล้านบาทถ้วน)'
  test('is an observation with its share', async () => {
    const [observation] = await find(clause)
    expect(observation).toMatchObject({ kind: 'past_work', page: 2 })
    expect(observation?.text).toContain('คิดเป็น 60 % ของวงเงิน 10,000,000.00 บาท')
  })
  test.each([12 * MILLION, null])('not at a budget of %s', async (budget) => {
    expect(await find(clause, budget)).toEqual([])
  })
  test('not without matching words, because the digits may be misread', async () => {
    expect(await find('ผู้ยื่นข้อเสนอต้องมีผลงานในวงเงินไม่น้อยกว่า 6,000,000 บาท')).toEqual([])
  })
})

describe('short delivery', () => {
  const clause = (days: number) => `กำหนดเวลาส่งมอบ ภายใน ${days} วัน นับถัดจากวันลงนามในสัญญา`
  test.each([
    [15, 'buy', MILLION, 1],
    [16, 'buy', MILLION, 0],
    [30, 'construct', MILLION, 1],
    [31, 'construct', MILLION, 0],
    // Small purchases are negotiated.
    [7, 'buy', 500_000, 0],
    [7, 'buy', null, 0],
  ] as const)('%s days for %s of %s baht: %s', async (days, type, budget, count) => {
    expect(kinds(await find(clause(days), budget, type))).toEqual(Array(count).fill('delivery'))
  })
})

test('lists a repeated line once and stops at twenty', async () => {
  const lines = Array.from({ length: 30 }, (_, at) => `ข้อ ${at} ต้องเป็นยี่ห้อ Canon`)
  const pages = [lines[0]!, lines[0]!, ...lines]
  const observations = await findDraftObservations(pages, { budget: null, method_type: '' }, async () => undefined)
  expect(observations).toHaveLength(20)
  expect(observations.filter(({ sentence }) => sentence === lines[0])).toHaveLength(1)
})
