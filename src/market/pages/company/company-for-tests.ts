import type { CompanyDetail, CompanyProject, CompanyProjects } from '#contract/market/company.ts'

export function buildTestCompanyDetail(change: Partial<CompanyDetail> = {}): CompanyDetail {
  return {
    company: {
      id: 7,
      name: 'บริษัท ธาราเมฆ จำกัด',
      tax_id: '0105556012345',
      is_shared_name: false,
      is_sme: true,
    },
    aliases: ['ธาราเมฆ จำกัด'],
    scope: {
      universe: 'all',
      year_from: 2568,
      year_to: 2570,
      n: 97,
      coverage: { full: 61, names: 0, winner: 36 },
      computed_at: '2026-11-21T02:00:00.000Z',
    },
    years: [2570, 2569, 2568],
    figures: {
      wins: 40,
      contracts: 42,
      value: 125_000_000,
      bids: { bids: 61, won: 30, win_rate: 30 / 61 },
      discount: {
        n: 35,
        weighted: 0.083,
        median: 0.06,
        against_budget: { n: 3, weighted: 0.12, median: 0.11 },
      },
      median_contract: 1_250_000,
      active_contracts: 6,
      active_value: 30_000_000,
      first_win_date: '2024-11-02',
      last_win_date: '2026-11-10',
      top_department: { department: 'กรมทางหลวง', value: 60_000_000, spent: 600_000_000, share: 0.1 },
    },
    previous: {
      year_from: 2565,
      year_to: 2567,
      wins: 37,
      value: 100_000_000,
      weighted_discount: 0.07,
      win_rate: null,
    },
    by_year: [
      { year: 2568, wins: 20, value: 60_000_000, is_open: false },
      { year: 2569, wins: 18, value: 60_000_000, is_open: false },
      { year: 2570, wins: 2, value: 5_000_000, is_open: true },
    ],
    by_department: [
      {
        department: 'กรมทางหลวง',
        departments: 1,
        wins: 12,
        value: 60_000_000,
        share: 0.1,
        first_win_date: '2024-11-02',
        last_win_date: '2026-11-10',
      },
      {
        department: null,
        departments: 4,
        wins: 28,
        value: 65_000_000,
        share: null,
        first_win_date: '2024-12-01',
        last_win_date: '2026-10-10',
      },
    ],
    by_method: [
      { method: 'e_bidding', wins: 30, value: 100_000_000 },
      { method: 'specific', wins: 10, value: 25_000_000 },
    ],
    by_type: [{ method_type: 'buy', wins: 40, value: 125_000_000 }],
    by_criteria: [{ criteria: 'price', wins: 40, value: 125_000_000, weighted_discount: 0.083, n_discount: 35 }],
    by_province: [
      { province: 'ระยอง', wins: 39, value: 124_000_000 },
      { province: null, wins: 1, value: 1_000_000 },
    ],
    discount_bins: [
      { from: -0.025, count: 1 },
      { from: 0.05, count: 30 },
      { from: 0.1, count: 4 },
    ],
    discount_by_size: [
      {
        from: null,
        to: 500_000,
        discount: { n: 35, weighted: 0.083, median: 0.06, against_budget: { n: 0, weighted: null, median: null } },
      },
    ],
    competitors: [
      {
        company: { id: 9, name: 'บจก. ฟ้าคำ', tax_id: null, is_shared_name: false, is_sme: null },
        met: 14,
        we_won: 8,
        they_won: 5,
        others_won: 1,
        mean_gap: 0.023,
        n_gap: 11,
        last_met_date: '2026-10-01',
      },
    ],
    ...change,
  }
}

export function buildTestCompanyProject(id: string, change: Partial<CompanyProject> = {}): CompanyProject {
  return {
    project_id: id,
    name: `ซื้อกล้องวงจรปิด ${id}`,
    dept_name: 'กรมทางหลวง',
    dept_sub_name: 'แขวงทางหลวงระยอง',
    project_province: 'ระยอง',
    fiscal_year: 2569,
    method: 'e_bidding',
    method_type: 'buy',
    criteria: 'price',
    status: 'contract_created',
    movement: 'contract_created',
    budget: 1_000_000,
    estimate_budget: 990_000,
    is_winner: true,
    value: 900_000,
    bid_price: 900_000,
    discount: { rate: 0.0909, against: 'reference' },
    decided_date: '2026-06-01',
    winner_name: 'บริษัท ธาราเมฆ จำกัด',
    winner_count: 1,
    bidders: 3,
    in_report: true,
    ...change,
  }
}

export function buildTestCompanyProjects(total: number, results: CompanyProject[], page = 1): CompanyProjects {
  return {
    links: { next: null, previous: null },
    total,
    page,
    page_size: 50,
    results,
    totals: { wins: total, value: 36_000_000 },
  }
}
