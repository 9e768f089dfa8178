import { expect, test } from 'vitest'
import { budgetText, windowText, yearsText } from './organisation-tab.tsx'

test.each([
  ['0', '0', 'ทุกวงเงิน ไม่จำกัดสูงสุด (แถบเลือกแสดงถึง 10,000 ล้านบาท)'],
  ['100000', '0', 'ตั้งแต่ 100,000 บาท ไม่จำกัดสูงสุด (แถบเลือกแสดงถึง 10,000 ล้านบาท)'],
  ['100000', '500000000', 'ตั้งแต่ 100,000 บาท ถึง 500 ล้านบาท'],
  ['0', '5000000', 'ไม่เกิน 5 ล้านบาท'],
  ['x', '', 'ทุกวงเงิน ไม่จำกัดสูงสุด (แถบเลือกแสดงถึง 10,000 ล้านบาท)'],
])('budgets from %j to %j are %s', (min_project_budget, max_project_budget, text) => {
  expect(budgetText({ min_project_budget, max_project_budget }, 10_000_000_000)).toBe(text)
})

test.each([
  ['2024-10-01', '2025-09-30', '1 ต.ค. 2567 – 30 ก.ย. 2568'],
  ['2024-10-01', null, 'ตั้งแต่ 1 ต.ค. 2567'],
  [null, '2025-09-30', 'ถึง 30 ก.ย. 2568'],
  [null, null, 'ทุกวัน'],
])('a window from %j to %j is %s', (start, end, text) => {
  expect(windowText(start, end)).toBe(text)
})

test.each([
  [true, false, '2568, 2025,2569', '2569, 2568'],
  [false, true, '2569', '2569'],
  [true, false, ' , ', 'ยังไม่มีปีในแพ็กเกจ'],
  [false, false, '2569', 'ไม่อยู่ในแพ็กเกจ'],
])('with access %s, only %s, the years %j are %s', (is_access_budget_year, is_access_budget_year_only, years, text) => {
  expect(yearsText({ is_access_budget_year, is_access_budget_year_only, allow_access_budget_year: years })).toBe(text)
})
