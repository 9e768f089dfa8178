import type { Agency } from '#contract/market/agency.ts'

export function buildTestAgency(change: Partial<Agency> = {}): Agency {
  const months = (first: number) => [first, ...Array<number>(10).fill(2), 6]
  return {
    agency: {
      code: '0808',
      name: 'กรมทางหลวง',
      text: 'กรมทางหลวง',
      province: null,
      ministry: 'กระทรวงคมนาคม',
      same_name: [{ code: '0808', text: 'กรมทางหลวง', province: null }],
    },
    years: [2570, 2569, 2568],
    scope: {
      universe: 'all',
      year_from: 2568,
      year_to: 2570,
      n: 30,
      coverage: { full: 10, names: 0, winner: 20 },
      computed_at: '2026-11-21T02:00:00.000Z',
    },
    projects: 42,
    decided: 36,
    won: 30,
    figures: {
      winners: 2,
      value: 125_000_000,
      n_value: 35,
      top_five_share: 0.8,
      bidders: { n: 10, mean: 3.4 },
      discount: { n: 25, lower: 0.02, median: 0.064, upper: 0.1 },
      against_budget: 1,
    },
    companies: {
      total: 1,
      is_ranked: true,
      results: [
        {
          id: 7,
          name: 'บริษัท ก จำกัด',
          tax_id: null,
          is_shared_name: false,
          is_sme: null,
          wins: 12,
          value: 60_000_000,
          share: 0.48,
          bids: null,
          discount: { n: 9, median: 0.05 },
          first_win_date: '2025-01-10',
          last_win_date: '2026-06-10',
          met: 2,
        },
      ],
    },
    by_year: [{ year: 2569, n: 36, value: 125_000_000 }],
    by_method: [{ method: 'e_bidding', n: 36, value: 125_000_000 }],
    by_type: [
      { method_type: 'construct', n: 30, value: 120_000_000 },
      { method_type: 'buy', n: 6, value: 5_000_000 },
    ],
    by_group: [
      { group: { id: 3, name: 'กล้องวงจรปิด' }, n: 4, value: 8_000_000 },
      { group: null, n: 1, value: null },
    ],
    units: {
      total: 2,
      results: [
        { unit: 'แขวงทางหลวงน่าน', n: 20, value: 80_000_000 },
        { unit: 'กรมทางหลวง', n: 16, value: 45_000_000 },
      ],
    },
    announced: { n: 31, months: months(5) },
    awarded: { n: 29, months: months(3) },
    speed: {
      n: 21,
      lower: 36,
      median: 46,
      upper: 61,
      backwards: 1,
      by_method: [
        { method: 'e_bidding', n: 18, lower: 38, median: 47.5, upper: 62 },
        { method: 'selective', n: 3, lower: null, median: null, upper: null },
      ],
    },
    ours: {
      matches: 12,
      open: 2,
      next: [
        { project_id: '69119000001', name: 'จ้างก่อสร้างทางหลวง', submission_end_date: '2026-12-01', budget: 9_000_000 },
      ],
      pursuits: [
        { kind: 'open', n: 1 },
        { kind: 'submitted', n: 0 },
        { kind: 'won', n: 2 },
        { kind: 'lost', n: 1 },
        { kind: 'declined', n: 0 },
      ],
    },
    budget: null,
    ignored_parameters: [],
    ...change,
  }
}
