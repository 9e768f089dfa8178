import type {
  CommonProject,
  CompanyComparison,
  CompanyHeadToHead,
  ComparedCompany,
} from '#contract/market/company-comparison.ts'

const NO_DISCOUNT = { n: 0, weighted: null, median: null, against_budget: { n: 0, weighted: null, median: null } }

/** Builds a compared company named after a letter: `บริษัท ก จำกัด`. */
export function buildTestComparedCompany(letter: string, change: Partial<ComparedCompany> = {}): ComparedCompany {
  const name = `บริษัท ${letter} จำกัด`
  return {
    id: letter.codePointAt(0)!,
    name,
    asked: name,
    tax_id: null,
    is_shared_name: false,
    is_sme: null,
    wins: 0,
    value: null,
    bids: null,
    discount: NO_DISCOUNT,
    median_contract: null,
    departments: 0,
    active_contracts: 0,
    last_win_date: null,
    coverage: { full: 0, names: 0, winner: 0 },
    ...change,
  }
}

export function buildTestCompanyHeadToHead(
  a: number,
  b: number,
  change: Partial<CompanyHeadToHead> = {},
): CompanyHeadToHead {
  return {
    a,
    b,
    met: 45,
    a_won: 24,
    b_won: 17,
    others_won: 3,
    undecided: 1,
    mean_gap: 0.025,
    median_gap: 0.021,
    n_gap: 40,
    last_met_date: '2026-11-12',
    ...change,
  }
}

export function buildTestCommonProject(id: string, change: Partial<CommonProject> = {}): CommonProject {
  return {
    project_id: id,
    name: `ซื้อกล้องวงจรปิด ${id}`,
    dept_name: 'กรมการแพทย์',
    dept_sub_name: 'โรงพยาบาลเลิดสิน',
    decided_date: '2026-10-01',
    estimate_budget: 10_000_000,
    criteria: 'price',
    winner_name: 'บริษัท ก จำกัด',
    parts: [
      { company: 0, price: 9_000_000, is_winner: true },
      { company: 1, price: 9_900_000, is_winner: false },
    ],
    lowest_price: 9_000_000,
    in_report: true,
    ...change,
  }
}

export function buildTestComparison(change: Partial<CompanyComparison> = {}): CompanyComparison {
  return {
    companies: [buildTestComparedCompany('ก'), buildTestComparedCompany('ข')],
    scope: {
      universe: 'all',
      year_from: 2567,
      year_to: 2569,
      n: 97,
      coverage: { full: 71, names: 0, winner: 26 },
      computed_at: '2026-11-21T02:00:00Z',
    },
    has_meetings: true,
    meetings: [buildTestCompanyHeadToHead(0, 1)],
    common_projects: [],
    common_total: 0,
    prices: [],
    prices_total: 0,
    departments: [],
    departments_total: 0,
    mix: [],
    unknown: [],
    left_out: [],
    ...change,
  }
}
