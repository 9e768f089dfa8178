import { z } from 'zod/mini'

/**
 * The annual budget: items funded by parliament, and their progress in e-GP. Money is baht, unknown is null, never 0.
 * The layout is that of the public machine-readable data set (ITEM_ID, REF_DOC, REF_PAGE_NO, MINISTRY, BUDGETARY_UNIT,
 * CROSS_FUNC?, BUDGET_PLAN, OUTPUT, PROJECT, CATEGORY_LV1–6, ITEM_DESCRIPTION, FISCAL_YEAR, AMOUNT, OBLIGED?).
 */
const money = z.nullable(z.number())

/**
 * Drill-down levels, each within the previous one. `project` is the layout's PROJECT, or its OUTPUT where an item has
 * no project.
 */
export const BUDGET_LEVELS = ['ministry', 'unit', 'plan', 'project', 'item'] as const
export type BudgetLevel = (typeof BUDGET_LEVELS)[number]

/** State of the most advanced linked project; `cancelled` when all are cancelled. */
export const BUDGET_ITEM_STATES = [
  { code: 'none', th: 'ยังไม่ประกาศ' },
  { code: 'draft', th: 'ร่าง TOR' },
  { code: 'invited', th: 'ประกาศเชิญชวน' },
  { code: 'awarded', th: 'ได้ผู้ชนะ' },
  { code: 'cancelled', th: 'ยกเลิก' },
] as const
export type BudgetItemState = (typeof BUDGET_ITEM_STATES)[number]['code']

/** Links below this confidence (0 to 1) are shown as guesses and excluded from all figures until confirmed. */
export const MIN_CERTAIN_BUDGET_LINK_CONFIDENCE = 0.7

const budgetScopeSchema = z.object({
  fiscal_year: z.number(),
  /** `matched`: items that match the organisation's words; `all`: every item of the year. */
  universe: z.enum(['all', 'matched']),
  n: z.number(),
  n_year: z.number(),
  computed_at: z.nullable(z.string()),
  sources: z.array(z.string()),
})
export type BudgetScope = z.output<typeof budgetScopeSchema>

const count = z.object({ n: z.number(), amount: money })

const budgetItemSchema = z.object({
  id: z.number(),
  item_id: z.string(),
  fiscal_year: z.number(),
  ministry: z.string(),
  unit: z.string(),
  plan: z.string(),
  output: z.nullable(z.string()),
  project: z.nullable(z.string()),
  categories: z.array(z.string()),
  description: z.string(),
  amount: money,
  is_multi_year: z.boolean(),
  is_cross_function: z.boolean(),
  province: z.nullable(z.string()),
  source_document: z.string(),
  source_page: z.nullable(z.number()),
  matched_words: z.array(z.string()),
  excluded_by: z.nullable(z.string()),
  state: z.enum(BUDGET_ITEM_STATES.map(({ code }) => code)),
  /** `links` counts sure and confirmed links, `guesses` the unconfirmed ones. */
  links: z.number(),
  guesses: z.number(),
})
export type BudgetItem = z.output<typeof budgetItemSchema>

export const budgetPageSchema = z.object({
  links: z.object({ next: z.nullable(z.string()), previous: z.nullable(z.string()) }),
  total: z.number(),
  total_amount: money,
  page: z.number(),
  page_size: z.number(),
  results: z.array(budgetItemSchema),
  scope: budgetScopeSchema,
  elsewhere: z.array(z.object({ fiscal_year: z.number(), n: z.number() })),
  ignored_parameters: z.array(z.string()),
})
export type BudgetPageResponse = z.output<typeof budgetPageSchema>

/**
 * `GET /budgets/years`: years that the subscription includes (D14), newest first. `items` is 0 for a year without data
 * and null for a locked year.
 */
export const budgetYearsSchema = z.object({
  years: z.array(z.object({ fiscal_year: z.number(), is_allowed: z.boolean(), items: z.nullable(z.number()) })),
  /** Date limits of the organisation's subscription (`start_date_budgetyear`, `end_date_budgetyear`), ISO. */
  date_limits: z.object({ start: z.nullable(z.string()), end: z.nullable(z.string()) }),
})
export type BudgetYears = z.output<typeof budgetYearsSchema>

export const budgetSummarySchema = z.object({
  scope: budgetScopeSchema,
  amount: money,
  /**
   * Result of the same search for the previous year; null if that year is not loaded or not included in the
   * subscription.
   */
  last_year: z.nullable(z.object({ fiscal_year: z.number(), n: z.number(), amount: money })),
  /**
   * Items and baht by state. Each stage of the funnel includes the later ones; cancelled items are counted separately.
   */
  funnel: z.object({ budget: count, draft: count, invited: count, awarded: count, cancelled: count }),
  /**
   * Weighted by value, over awarded projects with a reference price. `amounts_in_doubt`: number of projects whose price is
   * left out as doubtful; absent if none.
   */
  discount: z.object({ n: z.number(), weighted: money, median: money, amounts_in_doubt: z.optional(z.number()) }),
  level: z.enum(BUDGET_LEVELS),
  breakdown: z.array(
    z.object({
      name: z.string(),
      n: z.number(),
      amount: money,
      last_year_amount: money,
      announced: z.number(),
      awarded: z.number(),
    }),
  ),
  others: z.nullable(z.object({ rows: z.number(), n: z.number(), amount: money })),
  by_category: z.array(
    z.object({ category: z.string(), years: z.array(z.object({ fiscal_year: z.number(), amount: money })) }),
  ),
  months: z.array(z.object({ month: z.number(), n: z.number() })),
  /** Number of items by state, ignoring the state filter, to label the options of that filter. */
  states: z.record(z.string(), z.number()),
  words: z.array(
    z.object({
      word: z.string(),
      n: z.number(),
      amount: money,
      last_year_n: z.nullable(z.number()),
      last_year_amount: money,
    }),
  ),
})
export type BudgetSummary = z.output<typeof budgetSummarySchema>

const budgetLinkSchema = z.object({
  project_id: z.string(),
  name: z.string(),
  dept_name: z.string(),
  dept_sub_name: z.string(),
  fiscal_year: z.nullable(z.number()),
  budget: money,
  winner_name: z.nullable(z.string()),
  winner_budget: money,
  movement: z.string(),
  movement_date: z.nullable(z.string()),
  state: z.enum(['draft', 'invited', 'awarded', 'cancelled']),
  confidence: z.number(),
  reasons: z.array(z.string()),
  decision: z.nullable(z.enum(['confirmed', 'rejected'])),
  decided_by: z.nullable(z.string()),
  in_report: z.boolean(),
})
export type BudgetLink = z.output<typeof budgetLinkSchema>

export const budgetDetailSchema = z.object({
  item: budgetItemSchema,
  links: z.array(budgetLinkSchema),
  other_years: z.array(z.object({ id: z.number(), fiscal_year: z.number(), amount: money, description: z.string() })),
})
export type BudgetDetail = z.output<typeof budgetDetailSchema>

/** `POST /budgets/{id}/links/{projectId}`. Null reverts an earlier decision. Returns the budget item's detail. */
export const budgetLinkDecisionSchema = z.object({ decision: z.nullable(z.enum(['confirmed', 'rejected'])) })
export type BudgetLinkDecision = z.output<typeof budgetLinkDecisionSchema>['decision']
