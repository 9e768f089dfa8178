import { z } from 'zod/mini'

const keywordSchema = z.object({
  id: z.number(),
  word: z.string(),
  group_id: z.nullable(z.number()),
  /** False while the operator has not approved the word; it does not match yet (D11). */
  approved: z.boolean(),
  /** True if the word also searches public documents (decision 0120); `include` list only. */
  in_documents: z.optional(z.boolean()),
  /** UTC ISO; `added_by` is a name or e-mail address, null for words that were set up with the organisation. */
  added_at: z.string(),
  added_by: z.nullable(z.string()),
})
export type Keyword = z.output<typeof keywordSchema>

/** Codes of the keyword lists in section 3 of the specification. */
export const KEYWORD_LIST_CODES = ['ai_include', 'ai_exclude', 'include', 'exclude', 'deptsub_include'] as const
export type KeywordListCode = (typeof KEYWORD_LIST_CODES)[number]

export const customerConfigSchema = z.object({
  report_start_date: z.nullable(z.string()),
  /** Baht as text, parsed as integers; a maximum of 0 means no limit (D8). */
  min_project_budget: z.string(),
  max_project_budget: z.string(),
  search_by_ai: z.boolean(),
  search_by_name: z.boolean(),
  search_by_deptsub: z.boolean(),
  limit_include_by_name: z.number(),
  limit_exclude_by_name: z.number(),
  limit_include_by_ai: z.number(),
  limit_exclude_by_ai: z.number(),
  limit_include_by_deptsub: z.number(),
  not_allow_start_time: z.string(),
  not_allow_end_time: z.string(),
  start_date_report: z.nullable(z.string()),
  end_date_report: z.nullable(z.string()),
  start_date_budgetyear: z.nullable(z.string()),
  end_date_budgetyear: z.nullable(z.string()),
})
export type CustomerConfig = z.output<typeof customerConfigSchema>

export const organisationSchema = z.object({
  code: z.string(),
  name: z.string(),
  customer_config: customerConfigSchema,
  ai_include: z.array(keywordSchema),
  ai_exclude: z.array(keywordSchema),
  include: z.array(keywordSchema),
  exclude: z.array(keywordSchema),
  deptsub_include: z.array(keywordSchema),
  keyword_groups: z.array(z.object({ id: z.number(), name: z.string() })),
  customer_use_package: z.string(),
  business_types: z.array(z.number()),
  areasWithProvinces: z.record(z.string(), z.array(z.string())),
  areasFilterReport: z.nullable(z.record(z.string(), z.array(z.string()))),
  is_access_budget_year_only: z.boolean(),
  is_access_budget_year: z.boolean(),
  allow_access_budget_year: z.string(),
  is_company_compare: z.boolean(),
  is_access_company_comparison: z.boolean(),
  register_status: z.object({ is_register_completed: z.boolean(), is_watchlist_completed: z.boolean() }),
})
export type Organisation = z.output<typeof organisationSchema>

/** Name of the subscription package that makes an organisation a trial (specification section 1, C26). */
export const TRIAL_PACKAGE_NAME = 'ทดลองใช้งานไม่จำกัด'
/** Maximum budget in baht for an organisation that sets no maximum (specification section 9). */
export const DEFAULT_MAX_BUDGET_BAHT = 10_000_000_000

/** Returns the maxima of the budget slider and of the other two budget sliders, in baht (specification section 9). */
export function getBudgetSliderMaxima(maxProjectBudget: string): { budget: number; otherBudgets: number } {
  const max = Number.parseInt(maxProjectBudget, 10)
  const budget = Number.isFinite(max) && max > 0 ? max : DEFAULT_MAX_BUDGET_BAHT
  return { budget, otherBudgets: budget * 1.25 }
}
