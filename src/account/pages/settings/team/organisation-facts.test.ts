import { expect, test } from 'vitest'
import { formatAccessibleFiscalYears, formatAccessPeriod, formatBudgetRange } from './organisation-tab.tsx'

test.each([
  ['0', '0', 'ทุกวงเงิน ไม่จำกัดสูงสุด (แถบเลือกแสดงถึง 10,000 ล้านบาท)'],
  ['100000', '0', 'ตั้งแต่ 100,000 บาท ไม่จำกัดสูงสุด (แถบเลือกแสดงถึง 10,000 ล้านบาท)'],
  ['100000', '500000000', 'ตั้งแต่ 100,000 บาท ถึง 500 ล้านบาท'],
  ['0', '5000000', 'ไม่เกิน 5 ล้านบาท'],
  ['x', '', 'ทุกวงเงิน ไม่จำกัดสูงสุด (แถบเลือกแสดงถึง 10,000 ล้านบาท)'],
])('budgets from %j to %j are %s', (min_project_budget, max_project_budget, text) => {
  expect(formatBudgetRange({ min_project_budget, max_project_budget }, 10_000_000_000)).toBe(text)
})

test.each([
  ['2024-10-01', '2025-09-30', '1 ต.ค. 2567 – 30 ก.ย. 2568'],
  ['2024-10-01', null, 'ตั้งแต่ 1 ต.ค. 2567'],
  [null, '2025-09-30', 'ถึง 30 ก.ย. 2568'],
  [null, null, 'ทุกวัน'],
])('a window from %j to %j is %s', (start, end, text) => {
  expect(formatAccessPeriod(start, end)).toBe(text)
})

test.each<[boolean, boolean, string, string | null, string]>([
  [true, false, '2568, 2025,2569', null, '2569, 2568 (ปีงบประมาณ 2569 คือ 1 ต.ค. 2568 – 30 ก.ย. 2569)'],
  // The package lists 2568, but its start date excludes that year, so the budget page does not open it either.
  [true, false, '2568, 2569', '2025-10-01', '2569 (ปีงบประมาณ 2569 คือ 1 ต.ค. 2568 – 30 ก.ย. 2569)'],
  [false, true, '2569', null, '2569 (ปีงบประมาณ 2569 คือ 1 ต.ค. 2568 – 30 ก.ย. 2569)'],
  [true, false, ' , ', null, 'ยังไม่มีปีในแพ็กเกจ'],
  [false, false, '2569', null, 'ไม่อยู่ในแพ็กเกจ'],
])('with access %s, only %s, the years %j from %j on are %s', (isOn, isOnly, years, start, text) => {
  const organisation = {
    is_access_budget_year: isOn,
    is_access_budget_year_only: isOnly,
    allow_access_budget_year: years,
    customer_config: { start_date_budgetyear: start, end_date_budgetyear: null },
  }
  expect(formatAccessibleFiscalYears(organisation)).toBe(text)
})
