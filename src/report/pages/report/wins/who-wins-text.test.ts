import { expect, test } from 'vitest'
import { describeWhoWinsRowsFilter } from './who-wins-text.ts'

test.each([
  ['won', 'งานที่บริษัทชนะ'],
  ['year:0', 'ไม่ทราบปีงบประมาณ'],
  ['year:2569', 'ปีงบประมาณ 2569'],
  ['method:e_bidding', 'วิธีe-bidding'],
  ['month:2569', '2569'],
  ['month:2026-11', 'ประกาศผล พ.ย. 69'],
  ['province:', 'ไม่ทราบจังหวัด'],
  ['agency:กรมทางหลวง', 'กรมทางหลวง'],
  ['company:7', 'บริษัท'],
  ['discount:below', 'ลด แพงกว่าราคากลาง'],
  ['band:-500000', 'ราคากลาง ไม่ถึง 500,000 บาท'],
  ['toString', 'toString'],
  ['unknown:x', 'unknown:x'],
])('describes the projects behind %s as %s', (rows, text) => {
  expect(describeWhoWinsRowsFilter(rows, undefined)).toBe(text)
})
