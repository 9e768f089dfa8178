import type { ReportPageResponse } from '#contract/report/report.ts'

export function reportPage(overrides: Partial<ReportPageResponse> = {}): ReportPageResponse {
  return {
    links: { next: null, previous: null },
    total_project: 0,
    page: 1,
    page_size: 50,
    results: [],
    total_budget: 0,
    data_time: null,
    report_window: { start: null, end: null },
    counts: {
      all: 0,
      new: 0,
      updated: 0,
      discussion_7d: 0,
      submission_7d: 0,
      hidden: 0,
      hidden_by_user: 0,
      since_visit: null,
    },
    previous_visit_at: null,
    deep_search: null,
    filter_to_relax: null,
    rules: { has_rules: true, last_match_date: null },
    ignored_parameters: [],
    ...overrides,
  }
}
