import { expect, test } from 'vitest'
import { extractProjectId } from './project-id.ts'

test.each([
  ['67119123456', '67119123456'],
  ['  67119123456\n', '67119123456'],
  ['67 11 9123456', '67119123456'],
  ['6711-9123-456', '67119123456'],
  ['๖๗๑๑๙๑๒๓๔๕๖', '67119123456'],
  ['เลขที่โครงการ : 67119123456 (e-bidding)', '67119123456'],
  ['เลขที่ ๖๗๑๑ ๙๑๒๓๔๕๖', '67119123456'],
  ['\u200b67119123456\ufeff', '67119123456'],
  ['https://process3.gprocurement.go.th/egp2procmainWeb/jsp/procsearch.sch?pid=67119123456&servlet=x', '67119123456'],
  ['https://process5.gprocurement.go.th/egp-agpc01-web/announcement/procurement/67119123456/1', '67119123456'],
  ['https://example.org/?q=%E0%B9%96%E0%B9%97119123456', '67119123456'],
  ['67119123456, 67119123456', '67119123456'],
])('%j contains %s', (text, id) => {
  expect(extractProjectId(text)).toBe(id)
})

test.each([
  '',
  'กล้องวงจรปิด',
  '6711912345',
  '671191234567',
  '67119123456 67119123457',
  'https://example.org/6711/9123456',
  '%E0%A4%A',
])('%j contains no project id', (text) => {
  expect(extractProjectId(text)).toBeUndefined()
})
