import { expect, test } from 'vitest'
import { suggestKeywordsFromTitle } from './match-explanation-answer.tsx'

test.each([
  ['จ้างซ่อมกล้องวงจรปิด ตำบลบางเสร่ อำเภอสัตหีบ', 'กล้องวงจรปิด'],
  ['ประกวดราคาซื้อเครื่องคอมพิวเตอร์โน้ตบุ๊ก จำนวน 29 เครื่อง ด้วยวิธีประกวดราคาอิเล็กทรอนิกส์ (e-bidding)', 'โน้ตบุ๊ก'],
  ['โครงการปรับปรุงถนนลาดยาง หมู่ที่ 4 ต.หนองหาน', 'ปรับปรุงถนน'],
  ['ซื้อ CCTV จำนวน 12 ชุด โดยวิธีเฉพาะเจาะจง', 'CCTV'],
])('offers for %s what is bought: %s', (title, word) => {
  expect(suggestKeywordsFromTitle(title).some((offered) => offered.includes(word))).toBe(true)
})

test('offers no procurement terms, no numbers and no places', () => {
  const offered = suggestKeywordsFromTitle(
    'โครงการจัดซื้อเครื่องปรับอากาศ จำนวน 12 เครื่อง ประจำปีงบประมาณ พ.ศ. 2569 อำเภอสัตหีบ จังหวัดชลบุรี ด้วยวิธีประกวดราคาอิเล็กทรอนิกส์ (e-bidding)',
  ).join(' ')
  expect(offered).not.toMatch(/โครงการ|จัดซื้อ|จำนวน|12|งบประมาณ|2569|สัตหีบ|ชลบุรี|อิเล็กทรอนิกส์|bidding/)
  expect(offered).toContain('ปรับอากาศ')
})

test('offers a road without its name', () => {
  const offered = suggestKeywordsFromTitle(
    'ประกวดราคาจ้างก่อสร้างถนนลาดยางแอสฟัลต์คอนกรีต ถนนสาย อบ.3037 แยกทางหลวงหมายเลข 2365 - บ้านนาสนมทอง',
  )
  expect(offered.join(' ')).toContain('ถนน')
  expect(offered.join(' ')).not.toMatch(/แยก|สนมทอง/)
})

test('offers at most six distinct words, and none from a generic title', () => {
  const long = 'ซื้อเต็นท์ โต๊ะ เก้าอี้ พัดลม ตู้เย็น เตาอบ หม้อหุงข้าว กระทะ เต็นท์ ผ้าม่าน'
  expect(suggestKeywordsFromTitle(long)).toHaveLength(6)
  expect(new Set(suggestKeywordsFromTitle(long)).size).toBe(6)
  expect(suggestKeywordsFromTitle('จัดซื้อโดยวิธีเฉพาะเจาะจง จำนวน 1 รายการ')).toEqual([])
})
