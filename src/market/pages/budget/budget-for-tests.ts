import type {
  BudgetDetail,
  BudgetItem,
  BudgetLink,
  BudgetPageResponse,
  BudgetSummary,
  BudgetYears,
} from '#contract/market/budget.ts'

export function buildTestBudgetItem(change: Partial<BudgetItem> = {}): BudgetItem {
  return {
    id: 7,
    item_id: '2570-0007',
    fiscal_year: 2570,
    ministry: 'กระทรวงสาธารณสุข',
    unit: 'กรมการแพทย์',
    plan: 'แผนงานพื้นฐาน',
    output: 'ผลผลิตการรักษา',
    project: null,
    categories: ['งบลงทุน', 'ค่าครุภัณฑ์'],
    description: 'กล้องวงจรปิดพร้อมติดตั้ง 60 จุด',
    amount: 12_500_000,
    is_multi_year: false,
    is_cross_function: false,
    province: null,
    source_document: 'เล่มขาวคาดแดง 2570',
    source_page: 214,
    matched_words: ['กล้อง'],
    excluded_by: null,
    state: 'none',
    links: 0,
    guesses: 1,
    ...change,
  }
}

export function buildTestBudgetLink(change: Partial<BudgetLink> = {}): BudgetLink {
  return {
    project_id: '69119000001',
    name: 'ซื้อกล้องวงจรปิด 60 จุด',
    dept_name: 'กรมการแพทย์',
    dept_sub_name: 'โรงพยาบาลเลิดสิน',
    fiscal_year: 2570,
    budget: 12_400_000,
    winner_name: null,
    winner_budget: null,
    movement: 'invited',
    movement_date: '2026-11-10',
    state: 'invited',
    confidence: 0.55,
    reasons: ['หน่วยงานเดียวกัน', 'วงเงินต่างกันไม่ถึง 1%'],
    decision: null,
    decided_by: null,
    in_report: true,
    ...change,
  }
}

export function buildTestBudgetDetail(change: Partial<BudgetDetail> = {}): BudgetDetail {
  return {
    item: buildTestBudgetItem(),
    links: [buildTestBudgetLink()],
    other_years: [{ id: 5, fiscal_year: 2569, amount: 10_000_000, description: 'กล้องวงจรปิด 40 จุด' }],
    ...change,
  }
}

export function buildTestBudgetYears(allowed: Record<number, number>, locked: readonly number[] = []): BudgetYears {
  return {
    years: [
      ...Object.entries(allowed).map(([year, items]) => ({ fiscal_year: Number(year), is_allowed: true, items })),
      ...locked.map((fiscal_year) => ({ fiscal_year, is_allowed: false, items: null })),
    ],
    date_limits: { start: null, end: null },
  }
}

export function buildTestBudgetScope(change: Partial<BudgetSummary['scope']> = {}): BudgetSummary['scope'] {
  return {
    fiscal_year: 2570,
    universe: 'matched',
    n: 20,
    n_year: 3000,
    computed_at: '2026-11-21T02:00:00.000Z',
    sources: ['เล่มขาวคาดแดง 2570', 'ร่าง พ.ร.บ. 2570 เล่ม 1', 'ร่าง พ.ร.บ. 2570 เล่ม 2'],
    ...change,
  }
}

export function buildTestBudgetSummary(change: Partial<BudgetSummary> = {}): BudgetSummary {
  return {
    scope: buildTestBudgetScope(),
    amount: 60_000_000,
    last_year: { fiscal_year: 2569, n: 14, amount: 50_000_000 },
    funnel: {
      budget: { n: 20, amount: 60_000_000 },
      draft: { n: 8, amount: 30_000_000 },
      invited: { n: 5, amount: 20_000_000 },
      awarded: { n: 2, amount: 8_000_000 },
      cancelled: { n: 1, amount: 1_000_000 },
    },
    discount: { n: 2, weighted: 0.083, median: 0.08 },
    level: 'ministry',
    breakdown: [
      {
        name: 'กระทรวงสาธารณสุข',
        n: 12,
        amount: 40_000_000,
        last_year_amount: 32_000_000,
        announced: 5,
        awarded: 2,
      },
      { name: 'กระทรวงคมนาคม', n: 8, amount: 20_000_000, last_year_amount: null, announced: 3, awarded: 0 },
    ],
    others: null,
    by_category: [
      {
        category: 'งบลงทุน',
        years: [
          { fiscal_year: 2569, amount: 50_000_000 },
          { fiscal_year: 2570, amount: 60_000_000 },
        ],
      },
    ],
    months: [
      { month: 1, n: 10 },
      { month: 11, n: 2 },
    ],
    states: { none: 12, draft: 3, invited: 3, awarded: 2 },
    words: [
      { word: 'โดรน', n: 0, amount: null, last_year_n: 1, last_year_amount: 900_000 },
      { word: 'กล้อง', n: 15, amount: 45_000_000, last_year_n: 14, last_year_amount: 50_000_000 },
      { word: 'เซิร์ฟเวอร์', n: 5, amount: 15_000_000, last_year_n: 0, last_year_amount: null },
    ],
    ...change,
  }
}

export function buildTestBudgetPage(change: Partial<BudgetPageResponse> = {}): BudgetPageResponse {
  const results = change.results ?? [
    buildTestBudgetItem(),
    buildTestBudgetItem({
      id: 8,
      item_id: '2570-0008',
      ministry: 'กระทรวงคมนาคม',
      unit: 'กรมทางหลวง',
      description: 'กล้องตรวจการณ์จราจร',
      amount: null,
      state: 'awarded',
      links: 1,
      guesses: 0,
    }),
  ]
  return {
    links: { next: null, previous: null },
    total: results.length,
    total_amount: 12_500_000,
    page: 1,
    page_size: 50,
    scope: buildTestBudgetScope(),
    elsewhere: [],
    ignored_parameters: [],
    ...change,
    results,
  }
}
