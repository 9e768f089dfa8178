import { expect, test } from 'vitest'
import { suggestExclusionKeywords } from './add-exclusion-dialog.tsx'

test('offers distinctive words: no numbers, no procurement terms, no matched words', () => {
  const offered = suggestExclusionKeywords({
    name: 'ประกวดราคาซื้อยางรถยนต์ จำนวน 4 เส้น สำหรับรถดับเพลิง',
    matched_words: ['ยาง'],
  })
  expect(offered).toContain('รถยนต์')
  for (const word of ['ประกวด', 'ราคา', 'จำนวน', 'ยาง', '4']) expect(offered).not.toContain(word)
})

test('offers at most eight words, each once', () => {
  const name = Array.from({ length: 3 }, () => 'สะพาน ต้นไม้ แม่น้ำ ภูเขา ทะเล ดอกไม้ กระดาษ ดินสอ เก้าอี้ หน้าต่าง').join(' ')
  const offered = suggestExclusionKeywords({ name, matched_words: [] })
  expect(offered).toHaveLength(8)
  expect(new Set(offered).size).toBe(8)
})
