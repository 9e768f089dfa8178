import { describe, expect, test } from 'vitest'
import { titleRanker } from './rank-titles.ts'

const titles = [
  'จ้างเหมาประกอบอาหารกลางวัน ศูนย์พัฒนาเด็กเล็ก',
  'ซื้อกล้องโทรทัศน์วงจรปิด (CCTV) พร้อมติดตั้ง',
  'ซื้อวัสดุสำนักงาน จำนวน 5 รายการ',
  'จ้างซ่อมแซมกล้องวงจรปิด',
]

describe('ranking titles', () => {
  test('gives 1 to the query in letters, then the nearest meaning, and says what carried it', async () => {
    const [lunch, cctv, office, literal] = titles.map(await titleRanker('กล้องวงจรปิด'))
    expect(literal).toEqual({ score: 1, phrases: ['กล้องวงจรปิด'] })
    expect(cctv!.score).toBeGreaterThan(0.7)
    expect(cctv!.phrases.some((phrase) => /cctv|วงจรปิด/.test(phrase))).toBe(true)
    expect(cctv!.score).toBeGreaterThan(Math.max(lunch!.score, office!.score) + 0.3)
  })

  test('keeps scores between 0 and 1, with at most two phrases, for any query', async () => {
    for (const query of ['', ' ', 'zzzz', 'ปรับปรุงระบบ zzzz', 'ยา', '12', '%_\\']) {
      for (const { score, phrases } of [...titles, '', '()'].map(await titleRanker(query))) {
        expect(score).toBeGreaterThanOrEqual(0)
        expect(score).toBeLessThanOrEqual(1)
        expect(phrases.length).toBeLessThanOrEqual(2)
      }
    }
  })

  test('puts a title with every part of the query before one with a part', async () => {
    const [both, one] = ['งานซ่อมสร้างผิวทาง และสะพาน', 'ก่อสร้างสะพาน'].map(await titleRanker('ซ่อมสร้างผิวทางสะพาน'))
    expect(both!.score).toBeGreaterThan(one!.score)
  })
})
