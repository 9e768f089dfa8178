import {
  formatQueryParams,
  type IgnoredQueryParam,
  parseQueryParams,
  type QueryParam,
  type SearchFromQueryParams,
} from '../http/query-params.ts'
import { BUDGET_ITEM_STATES } from './budget.ts'

const STATES = BUDGET_ITEM_STATES.map(({ code }) => code)

export const BUDGET_PARAMS = [
  { name: 'year', kind: 'year', th: 'ปีงบประมาณ' },
  { name: 'scope', kind: 'choice', th: 'ขอบเขต', of: ['matched', 'all'] },
  // Drill-down path (BUDGET_LEVELS). If a level is missing, the levels below it are ignored.
  { name: 'ministry', kind: 'text', th: 'กระทรวง' },
  { name: 'unit', kind: 'text', th: 'หน่วยรับงบประมาณ' },
  { name: 'plan', kind: 'text', th: 'แผนงาน' },
  { name: 'project', kind: 'text', th: 'ผลผลิต/โครงการ' },
  { name: 'q', kind: 'expression', th: 'ค้นหารายการ' },
  { name: 'category', kind: 'list', th: 'หมวดรายจ่าย' },
  { name: 'amount__range', kind: 'money', th: 'วงเงิน' },
  { name: 'keyword__in', kind: 'list', th: 'คำติดตาม' },
  { name: 'state', kind: 'list', th: 'สถานะ', of: STATES },
  { name: 'ordering', kind: 'choice', th: 'เรียงตาม', of: ['-amount', 'amount', 'description', 'unit', 'state'] },
  { name: 'page', kind: 'count', th: 'หน้า', usual: '1' },
  { name: 'page_size', kind: 'size', th: 'จำนวนต่อหน้า', of: ['20', '50', '100'], usual: '50' },
  { name: 'item', kind: 'count', th: 'รายการที่เปิดดู' },
] as const satisfies readonly QueryParam[]

type BudgetParam = (typeof BUDGET_PARAMS)[number]
export type BudgetSearch = SearchFromQueryParams<BudgetParam>

export const BUDGET_PAGE_SIZES = [20, 50, 100] as const
export const BUDGET_DEFAULT_PAGE_SIZE = 50

export function parseBudgetSearch(flat: Readonly<Record<string, string>>): {
  readonly search: BudgetSearch
  readonly ignored: readonly IgnoredQueryParam[]
} {
  return parseQueryParams<BudgetParam>(BUDGET_PARAMS, flat)
}

export function formatBudgetSearch(search: BudgetSearch): Record<string, string> {
  return formatQueryParams<BudgetParam>(BUDGET_PARAMS, search)
}
