import type { Keyword, Organisation } from '#contract/account/organisation.ts'

export function buildTestKeyword(id: number, word: string, change: Partial<Keyword> = {}): Keyword {
  return {
    id,
    word,
    group_id: null,
    approved: true,
    added_at: '2026-11-20T02:00:00.000Z',
    added_by: 'พิมพ์ชนก วงศ์สวัสดิ์',
    ...change,
  }
}

export function buildTestOrganisation(
  change: Partial<Organisation> = {},
  config: Partial<Organisation['customer_config']> = {},
): Organisation {
  return {
    code: 'acme',
    name: 'บริษัท ธาราเมฆ จำกัด',
    customer_config: {
      report_start_date: '2024-10-01',
      min_project_budget: '0',
      max_project_budget: '0',
      search_by_ai: true,
      search_by_name: true,
      search_by_deptsub: true,
      limit_include_by_name: 30,
      limit_exclude_by_name: 20,
      limit_include_by_ai: 10,
      limit_exclude_by_ai: 10,
      limit_include_by_deptsub: 10,
      not_allow_start_time: '00:00:00',
      not_allow_end_time: '00:00:00',
      start_date_report: null,
      end_date_report: null,
      start_date_budgetyear: null,
      end_date_budgetyear: null,
      ...config,
    },
    ai_include: [],
    ai_exclude: [],
    include: [],
    exclude: [],
    deptsub_include: [],
    keyword_groups: [],
    customer_use_package: 'ทดลองใช้งานไม่จำกัด',
    business_types: [],
    areasWithProvinces: { east: ['ระยอง', 'ตราด'] },
    areasFilterReport: null,
    is_access_budget_year_only: false,
    is_access_budget_year: true,
    allow_access_budget_year: '2569',
    is_company_compare: false,
    is_access_company_comparison: true,
    register_status: { is_register_completed: true, is_watchlist_completed: true },
    ...change,
  }
}
