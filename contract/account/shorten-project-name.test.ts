import { expect, test } from 'vitest'
import { shortenProjectName } from './shorten-project-name.ts'

test.each([
  ['ประกวดราคาซื้อกล้องวงจรปิด 64 จุด ด้วยวิธีประกวดราคาอิเล็กทรอนิกส์ (e-bidding)', 'ซื้อกล้องวงจรปิด 64 จุด'],
  ['จ้างเหมาบริการทำความสะอาด โดยวิธีเฉพาะเจาะจง', 'จ้างเหมาบริการทำความสะอาด'],
  ['สอบราคาจ้างก่อสร้างถนน คสล.', 'จ้างก่อสร้างถนน คสล.'],
  ['ประกวดราคา', 'ประกวดราคา'],
  ['', ''],
])('%s shortens to %s', (name, short) => {
  expect(shortenProjectName(name)).toBe(short)
})
